import { sendJson } from '../http/send.ts';
import type { Call } from '../http/vendor.ts';
import { modelNames } from '../models/catalogue.ts';
import { findModel } from '../models/find-model.ts';
import { invalidRequest } from '../request/problem.ts';

/** Responds with the requested page of the list; 20 models from the start by default. */
export function listModels(call: Call): void {
  const limit = Number(call.query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw invalidRequest(null, 'limit', 'it is a number from 1 to 1000');
  const after = call.query.get('after_id');
  const start = after === null ? 0 : modelNames.indexOf(after) + 1;
  const page = modelNames.slice(start, start + limit);
  sendJson(call, 200, {
    data: page.map(describe),
    has_more: start + limit < modelNames.length,
    first_id: page.at(0) ?? null,
    last_id: page.at(-1) ?? null,
  });
}

/**
 * Responds with a model. Also accepts names with settings, which are not listed; throws `RequestRefused` for unknown
 * names.
 */
export function showModel(call: Call, name: string): void {
  sendJson(call, 200, describe(findModel(name).name));
}

function describe(id: string) {
  return { type: 'model', id, display_name: id, created_at: '2023-11-14T00:00:00Z' };
}
