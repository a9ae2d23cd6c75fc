import type { Model } from '../models/catalogue.ts';
import { checkParameters, isObject, missing, objectsIn } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';
import { checkConversation } from './conversation.ts';
import { generateParameters } from './parameters.ts';
import { readReasoning } from './read-prompt.ts';

type Fields = Record<string, unknown>;

/** Checks a request as strictly as Google does; throws `RequestRefused`. */
export function checkRequest(body: Fields, model: Model): void {
  checkParameters(body, generateParameters);
  if (body.contents === undefined) throw missing('contents');
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  checkFormat(config);
  checkTools(body);
  const isThinking = model.settings.reasoning_tokens > 0 && readReasoning(config).mode !== 'off';
  checkConversation(objectsIn(body.contents), isThinking);
}

function checkFormat({ responseSchema, responseJsonSchema, responseMimeType, thinkingConfig }: Fields): void {
  if (responseSchema && responseJsonSchema)
    throw invalidRequest(null, null, 'Only one of response_schema and response_json_schema may be set.');
  const isStructured = responseMimeType === 'application/json' || responseMimeType === 'text/x.enum';
  if ((responseSchema || responseJsonSchema) && !isStructured) {
    const rule = 'response_mime_type must be application/json or text/x.enum when a response schema is set.';
    throw invalidRequest(null, null, rule);
  }
  if (isObject(thinkingConfig) && thinkingConfig.thinkingBudget !== undefined && thinkingConfig.thinkingLevel)
    throw invalidRequest(null, null, 'You can set only one of thinking budget and thinking level.');
}

function checkTools({ tools, toolConfig }: Fields): void {
  const names = objectsIn(tools)
    .flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations))
    .map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalidRequest(null, null, `Duplicate function declaration found: ${twice}`);
  const calling = isObject(toolConfig) ? toolConfig.functionCallingConfig : null;
  if (!isObject(calling)) return;
  const mode = String(calling.mode).toUpperCase();
  if (mode === 'ANY' && names.length === 0)
    throw invalidRequest(null, null, 'Function calling config is set without function_declarations.');
  const allowed = Array.isArray(calling.allowedFunctionNames) ? calling.allowedFunctionNames : [];
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED')
    throw invalidRequest(null, null, 'allowed_function_names may only be set when the mode is ANY.');
  const unknown = allowed.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw invalidRequest(null, null, `allowed_function_names has '${unknown}', which is not declared.`);
}
