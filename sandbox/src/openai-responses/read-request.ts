import type { Model } from '../models/catalogue.ts';
import { findGenerator } from '../models/find-model.ts';
import { checkIfStrict } from '../openai/strict-schema.ts';
import { checkParameters, isObject, missing, objectsIn } from '../request/checks.ts';
import { invalidRequest, RequestRefused } from '../request/problem.ts';
import { checkConversation } from './conversation.ts';
import { parameters } from './parameters.ts';
import { chooseFunctions } from './tools.ts';

type Fields = Record<string, unknown>;

/** Checks a request as strictly as OpenAI does and returns its model; throws `RequestRefused`. */
export function readRequest(body: Fields): Model {
  checkParameters(body, parameters);
  for (const name of ['model', 'input']) if (body[name] === undefined) throw missing(name);
  const model = findModelOrRefuse(String(body.model));
  checkState(body);
  checkTools(body);
  if (isObject(body.text)) checkIfStrict(body.text.format, 'schema', 'text.format');
  checkConversation(objectsIn(body.input), body.store !== false);
  for (const name of ['temperature', 'top_p']) {
    if (model.isReasoning && typeof body[name] === 'number')
      throw invalidRequest(null, name, 'it is not supported with this model');
  }
  return model;
}

/** An unknown model is an invalid value here, rather than not found. */
function findModelOrRefuse(name: string): Model {
  try {
    return findGenerator(name);
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    throw invalidRequest('model_not_found', 'model', error.problem.message);
  }
}

/** Rejects references to stored responses, since the sandbox stores none. */
function checkState(body: Fields): void {
  const { previous_response_id: previous, conversation, prompt, background } = body;
  if (typeof previous === 'string') {
    const rule = `Previous response with id '${previous}' not found.`;
    throw invalidRequest('previous_response_not_found', 'previous_response_id', rule);
  }
  if (conversation) throw invalidRequest(null, 'conversation', 'there is no such conversation');
  if (prompt) throw invalidRequest(null, 'prompt', 'there is no such prompt');
  if (background) throw invalidRequest(null, 'background', 'it is not supported with this model');
}

function checkTools(body: Fields): void {
  const { tools, tool_choice: choice } = body;
  for (const [index, tool] of objectsIn(tools).entries())
    checkIfStrict(tool, 'parameters', `tools[${index}]`);
  if (!isObject(choice) || choice.type !== 'function') return;
  if (chooseFunctions(body).length === 0)
    throw invalidRequest(null, 'tool_choice', `there is no function '${choice.name}' in 'tools'`);
}
