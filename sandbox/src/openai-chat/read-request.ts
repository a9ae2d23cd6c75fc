import { type Model, resolveModel } from '../models/catalogue.ts';
import { isObject, missing } from './checks.ts';
import { invalidRequest } from './errors.ts';
import { parameters } from './parameters.ts';

/** A body in which every parameter is known and well typed, and the model it names. */
export type ChatRequest = { body: Record<string, unknown>; model: Model };

const MAX_TOTAL_TOKENS = 200_000;

/** Reads a chat completion request as strictly as the sandbox promises; throws `RequestRefused`. */
export function readRequest(text: string): ChatRequest {
  const body = parseObject(text);
  for (const [name, value] of Object.entries(body)) {
    const check = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!check) throw invalidRequest('unknown_parameter', name, `Unknown parameter: '${name}'.`);
    check(value, name);
  }
  for (const name of ['model', 'messages']) if (body[name] === undefined) throw missing(name);
  const model = findModel(String(body.model));
  checkTogether(body, model);
  return { body, model };
}

/** The model of this name; throws `RequestRefused` as for a request that names it. */
export function findModel(name: string): Model {
  const model = resolveModel(name);
  if (model === null)
    throw invalidRequest('model_not_found', null, `The model '${name}' does not exist.`, 404);
  if (typeof model === 'string') throw invalidRequest('invalid_value', 'model', `Invalid 'model': ${model}.`);
  return model;
}

function parseObject(text: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidRequest(null, null, 'The body of the request is not valid JSON.');
  }
  if (!isObject(body)) throw invalidRequest(null, null, 'The body of the request is not a JSON object.');
  return body;
}

function checkTogether(body: Record<string, unknown>, model: Model): void {
  const has = (name: string) => body[name] !== undefined && body[name] !== null;
  if (model.isReasoning && has('max_tokens')) {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.";
    throw invalidRequest('unsupported_parameter', 'max_tokens', message);
  }
  if (has('max_tokens') && has('max_completion_tokens')) {
    const message = "'max_tokens' and 'max_completion_tokens' cannot be set together.";
    throw invalidRequest('invalid_parameter_combination', 'max_tokens', message);
  }
  if (Number(body.n ?? 1) * model.settings.tokens > MAX_TOTAL_TOKENS) {
    throw invalidRequest(
      'invalid_value',
      'n',
      `A request may ask for ${MAX_TOTAL_TOKENS} tokens in all choices.`,
    );
  }
  needs(body, 'stream_options', 'stream');
  needs(body, 'top_logprobs', 'logprobs');
  needs(body, 'tool_choice', 'tools');
  needs(body, 'parallel_tool_calls', 'tools');
}

function needs(body: Record<string, unknown>, name: string, condition: string): void {
  if (body[name] === undefined || body[name] === null || body[condition]) return;
  throw invalidRequest(null, name, `The '${name}' parameter is only allowed with '${condition}'.`);
}
