import type { Model } from '../models/catalogue.ts';
import { findGenerator } from '../models/find-model.ts';
import { type Check, checkParameters, isObject, missing, objectsIn } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';
import { readCacheBreakpoints } from './cache-breakpoints.ts';
import { checkConversation } from './conversation.ts';
import { checkThinking } from './thinking.ts';

type Fields = Record<string, unknown>;

const breakpointsMax = 4;

/** Checks a request as strictly as Anthropic does and returns its model; throws `RequestRefused`. */
export function readRequest(body: Fields, parameters: Record<string, Check>): Model {
  const required = ['model', 'messages', 'max_tokens'].filter((name) => Object.hasOwn(parameters, name));
  for (const name of required) if (body[name] === undefined) throw missing(name);
  checkParameters(body, parameters);
  const model = findGenerator(String(body.model));
  checkConversation(objectsIn(body.messages));
  checkTools(body);
  checkThinking(body);
  const breakpointCount = readCacheBreakpoints(body).length;
  if (breakpointCount > breakpointsMax) {
    const rule = `A maximum of ${breakpointsMax} blocks with cache_control may be provided.`;
    throw invalidRequest(null, null, `${rule} Found ${breakpointCount}.`);
  }
  return model;
}

function checkTools({ tools, tool_choice: choice }: Fields): void {
  const names = objectsIn(tools).map(({ name }) => name);
  if (new Set(names).size < names.length) throw invalidRequest(null, 'tools', 'Tool names must be unique.');
  if (!isObject(choice)) return;
  if (names.length === 0)
    throw invalidRequest(null, 'tool_choice', 'it may only be specified while providing tools');
  if (choice.type === 'tool' && !names.includes(choice.name))
    throw invalidRequest(null, null, `Tool '${choice.name}' not found in provided tools`);
}
