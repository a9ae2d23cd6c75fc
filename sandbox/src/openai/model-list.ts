import { sendJson } from '../http/send.ts';
import type { Call } from '../http/vendor.ts';
import { modelNames } from '../models/catalogue.ts';
import { findModel } from '../models/find-model.ts';

export function listModels(call: Call): void {
  sendJson(call, 200, { object: 'list', data: modelNames.map(describe) });
}

/**
 * Responds with a model. Also accepts names with settings, which are not listed; throws `RequestRefused` for unknown
 * names.
 */
export function showModel(call: Call, name: string): void {
  sendJson(call, 200, describe(findModel(name).name));
}

function describe(id: string) {
  return { id, object: 'model', created: 1_700_000_000, owned_by: 'sandbox' };
}
