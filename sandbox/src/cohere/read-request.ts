import type { Model } from '../models/catalogue.ts';
import { findGenerator } from '../models/find-model.ts';
import { checkParameters, isObject, missing, objectsIn } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';
import { checkToolResults } from '../request/tool-results.ts';
import { chatParameters } from './parameters.ts';

type Fields = Record<string, unknown>;

/** Checks a chat request as strictly as Cohere does and returns its model; throws `RequestRefused`. */
export function readRequest(body: Fields): Model {
  for (const name of ['model', 'messages']) if (body[name] === undefined) throw missing(name);
  checkParameters(body, chatParameters);
  const model = findGenerator(String(body.model));
  checkToolResults(body.messages);
  for (const [index, message] of objectsIn(body.messages).entries()) checkAnswer(message, index);
  const toolCount = objectsIn(body.tools).length;
  if (body.tool_choice && toolCount === 0)
    throw invalidRequest(null, 'tool_choice', 'it is only allowed with tools');
  const isJson = isObject(body.response_format) && body.response_format.type === 'json_object';
  if (isJson && toolCount > 0)
    throw invalidRequest(null, 'response_format', 'JSON cannot be asked for together with tools');
  return model;
}

function checkAnswer({ role, content, tool_calls: calls }: Fields, index: number): void {
  if (role !== 'assistant' || objectsIn(calls).length > 0) return;
  const isEmpty = typeof content === 'string' ? content === '' : objectsIn(content).length === 0;
  if (isEmpty) throw invalidRequest(null, `messages[${index}]`, 'an answer has content or tool calls');
}
