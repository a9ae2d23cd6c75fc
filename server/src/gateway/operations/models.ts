import { checkModel, type UsableTarget } from '#domain/access/check-model.ts';
import type { Authenticated } from '../exchange.ts';
import { modelAccessError } from '../pipeline/authorize.ts';
import { findFacts } from '../provider-call/model-knowledge.ts';
import { sendJson } from '../response/send-json.ts';
import { readModelRights } from '../snapshot/model-rights.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ModelFormat, modelFormats, type OfferedModel } from './model-formats.ts';

/** Returns the models that a principal may use, in the caller's protocol. */
export function answerModels(exchange: Authenticated, snapshot: Snapshot): void {
  const { query } = readUrl(exchange);
  answer(exchange, (format) => format.list(listModels(exchange.principal, snapshot), query));
}

/** Returns the model named in the path. */
export function answerModel(exchange: Authenticated, snapshot: Snapshot): void {
  const name = exchange.parameter ?? '';
  const { usable, refusal } = checkModel(name, readModelRights(exchange.principal, snapshot));
  if (refusal) throw modelAccessError(refusal);
  answer(exchange, (format) => format.encode(toOfferedModel(name, usable[0])));
}

function answer(exchange: Authenticated, describe: (format: ModelFormat) => object): void {
  const format = modelFormats[exchange.route.protocol.id] ?? modelFormats['openai-chat'];
  sendJson(exchange, 200, Buffer.from(JSON.stringify(describe(format))));
}

function readUrl({ request }: Authenticated): { query: URLSearchParams } {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  return { query: new URLSearchParams(mark === -1 ? '' : url.slice(mark)) };
}

function listModels(principal: Authenticated['principal'], snapshot: Snapshot): OfferedModel[] {
  const rights = readModelRights(principal, snapshot);
  return [...rights.directory.names].flatMap((name) => {
    const [best] = checkModel(name, rights).usable;
    return best ? [toOfferedModel(name, best)] : [];
  });
}

function toOfferedModel(id: string, { instance, model }: UsableTarget): OfferedModel {
  const { createdAtMs, providerKey } = instance;
  return { id, createdAtMs, providerKey, takesImages: findFacts(instance, model)?.vision === true };
}
