import type { Model } from '../models/catalogue.ts';
import { findGenerator } from '../models/find-model.ts';
import { checkIfStrict } from '../openai/strict-schema.ts';
import { checkParameters, isObject, missing, objectsIn } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';
import { checkToolResults } from '../request/tool-results.ts';
import { parameters } from './parameters.ts';

const totalTokensMax = 200_000;

/** Checks a chat completion request as strictly as OpenAI does and returns its model; throws `RequestRefused`. */
export function readRequest(body: Record<string, unknown>): Model {
  checkParameters(body, parameters);
  for (const name of ['model', 'messages']) if (body[name] === undefined) throw missing(name);
  checkToolResults(body.messages);
  const model = findGenerator(String(body.model));
  checkTogether(body, model);
  return model;
}

function checkTogether(body: Record<string, unknown>, model: Model): void {
  const has = (name: string) => body[name] !== undefined && body[name] !== null;
  if (model.isReasoning && has('max_tokens')) {
    const rule = "it is not supported with this model, use 'max_completion_tokens' instead";
    throw invalidRequest('unsupported_parameter', 'max_tokens', rule);
  }
  for (const name of ['temperature', 'top_p']) {
    if (model.isReasoning && has(name) && body[name] !== 1)
      throw invalidRequest('unsupported_value', name, 'this model supports the default only, which is 1');
  }
  if (has('max_tokens') && has('max_completion_tokens')) {
    const rule = "it cannot be set together with 'max_completion_tokens'";
    throw invalidRequest('invalid_parameter_combination', 'max_tokens', rule);
  }
  if (Number(body.n ?? 1) * model.settings.tokens > totalTokensMax) {
    throw invalidRequest('invalid_value', 'n', `all choices together have at most ${totalTokensMax} tokens`);
  }
  for (const [index, tool] of objectsIn(body.tools).entries())
    checkIfStrict(tool.function, 'parameters', `tools[${index}].function`);
  if (isObject(body.response_format))
    checkIfStrict(body.response_format.json_schema, 'schema', 'response_format.json_schema');
  needs(body, 'stream_options', 'stream');
  needs(body, 'top_logprobs', 'logprobs');
  needs(body, 'tool_choice', 'tools');
  needs(body, 'parallel_tool_calls', 'tools');
}

function needs(body: Record<string, unknown>, name: string, condition: string): void {
  if (body[name] === undefined || body[name] === null || body[condition]) return;
  throw invalidRequest(null, name, `it is only allowed with '${condition}'`);
}
