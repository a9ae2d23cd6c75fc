import type { Model } from '../models/catalogue.ts';
import { findGenerator } from '../models/find-model.ts';
import { checkParameters, missing } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';
import { parameters } from './parameters.ts';
import { checkToolResults } from './tool-results.ts';

const MAX_TOTAL_TOKENS = 200_000;

/**
 * Checks a chat completion request as strictly as the sandbox promises and finds the model that it names; throws
 * `RequestRefused`.
 */
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
