//! From the bytes of a request to the bytes of a response.

use crate::{Plugin, parameter};
use buffa::descriptor::Edition;
use buffa::descriptor::compiler::code_generator_response::{Feature, File};
use buffa::descriptor::compiler::{CodeGeneratorRequest, CodeGeneratorResponse};
use buffa::{Arena, EncodeError, Message};
use buffa_codegen::GeneratedFile;

/// What the generator understands. A test compiles a file of each kind.
const FEATURES: u64 = Feature::Proto3Optional as u64 | Feature::SupportsEditions as u64;

/// Answers the encoded `CodeGeneratorRequest` with an encoded `CodeGeneratorResponse`. What is wrong with the request or with
/// the files in it stands in the field `error` of the response.
///
/// # Errors
/// When the response would be longer than 2 GiB, which is what the format can express.
pub fn respond(plugin: &Plugin, request: &[u8]) -> Result<Vec<u8>, EncodeError> {
    let result = generate(plugin, request);
    let arena = Arena::new();
    let mut response = CodeGeneratorResponse {
        supported_features: FEATURES.into(),
        minimum_edition: (Edition::Proto2 as i32).into(),
        maximum_edition: (Edition::Edition2026 as i32).into(),
        ..Default::default()
    };
    match &result {
        Ok(files) => {
            let files = files.iter().map(|file| File {
                name: file.name.as_str().into(),
                content: file.content.as_str().into(),
                ..Default::default()
            });
            response.file.extend(files, &arena);
        }
        Err(error) => response.error = error.as_str().into(),
    }
    response.try_encode_to_vec()
}

fn generate(plugin: &Plugin, request: &[u8]) -> Result<Vec<GeneratedFile>, String> {
    let arena = Arena::new();
    let mut request = CodeGeneratorRequest::decode(request, &arena).map_err(|error| {
        format!("what is on stdin is no CodeGeneratorRequest: {error} (protoc and buf write one; run `{} --help`)", plugin.name)
    })?;
    if request.file_to_generate.is_empty() {
        return Err("the request names no file to generate".into());
    }
    let parameters = parameter::parse(plugin.parameters, request.parameter.as_str())?;
    (plugin.generate)(&mut request, &parameters)
}
