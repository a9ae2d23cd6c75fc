import { invalidRequest, refuse } from '../request/problem.ts';
import { type Model, resolveModel } from './catalogue.ts';

/** The model of this name; throws `RequestRefused` as for a request that names it. */
export function findModel(name: string): Model {
  const model = resolveModel(name);
  if (model === null) throw refuse('unknown_model', `The model '${name}' does not exist.`);
  if (typeof model === 'string') throw invalidRequest('invalid_value', 'model', model);
  return model;
}

/** The same for a request that wants words. */
export function findGenerator(name: string): Model {
  const model = findModel(name);
  if (!model.generates) throw refuse('unknown_model', `The model '${name}' makes embeddings only.`);
  return model;
}

/** The same for a request that wants vectors. */
export function findEmbedder(name: string): Model {
  const model = findModel(name);
  if (!model.embeds) throw refuse('unknown_model', `The model '${name}' makes no embeddings.`);
  return model;
}
