import { invalidRequest, refuse } from '../request/problem.ts';
import { type Model, resolveModel } from './catalogue.ts';

/** Throws `RequestRefused` for an unknown name. */
export function findModel(name: string): Model {
  const model = resolveModel(name);
  if (model === null) throw refuse('unknown_model', `The model '${name}' does not exist.`);
  if (typeof model === 'string') throw invalidRequest('invalid_value', 'model', model);
  return model;
}

/** Throws `RequestRefused` if the model does not generate text. */
export function findGenerator(name: string): Model {
  const model = findModel(name);
  if (!model.generates) throw refuse('unknown_model', `The model '${name}' supports embeddings only.`);
  return model;
}

/** Throws `RequestRefused` if the model does not return vectors. */
export function findEmbedder(name: string): Model {
  const model = findModel(name);
  if (!model.embeds) throw refuse('unknown_model', `The model '${name}' does not support embeddings.`);
  return model;
}
