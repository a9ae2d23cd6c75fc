import { checkModel, type UsableTarget } from '#domain/access/check-model.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { Authenticated } from '../exchange.ts';
import { modelAccessError } from '../pipeline/authorize.ts';
import { sendJson } from '../response/answer-error.ts';
import { findFacts } from '../snapshot/model-facts.ts';
import { readModelRights } from '../snapshot/model-rights.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

interface OfferedModel {
  readonly id: string;
  readonly createdAtMs: number;
  readonly providerKey: string;
  readonly takesImages: boolean;
  /** Kind of the model's output; `text` if unknown. */
  readonly answers: string;
}

interface ModelFormat {
  encode(model: OfferedModel): object;
  /**
   * Returns a page of models.
   * @throws GatewayError invalid_request for an invalid page
   */
  list(models: readonly OfferedModel[], query: URLSearchParams): object;
}

const openai: ModelFormat = {
  encode: ({ id, createdAtMs, providerKey, takesImages, answers }) => ({
    id,
    object: 'model',
    created: Math.floor(createdAtMs / 1000),
    owned_by: providerKey,
    input_modalities: takesImages ? ['text', 'image'] : ['text'],
    output_modalities: [answers],
  }),
  list: (models) => ({ object: 'list', data: models.map(openai.encode) }),
};

const anthropic: ModelFormat = {
  encode: ({ id, createdAtMs }) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(createdAtMs).toISOString(),
  }),
  list(models, query) {
    const size = readSize(query, 'limit', 20);
    const before = query.get('before_id');
    const after = query.get('after_id');
    const end = before === null ? models.length : findPlace(models, before, 'before_id');
    const start = after === null ? 0 : findPlace(models, after, 'after_id') + 1;
    // A backward page ends immediately before the cursor; a forward page starts immediately after it.
    const page =
      before === null ? models.slice(start, start + size) : models.slice(Math.max(0, end - size), end);
    const hasMore = before === null ? start + size < models.length : end > size;
    return {
      data: page.map(anthropic.encode),
      has_more: hasMore,
      first_id: page.at(0)?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    };
  },
};

const google: ModelFormat = {
  encode: ({ id }) => ({
    name: `models/${id}`,
    baseModelId: id,
    version: '001',
    displayName: id,
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  }),
  list(models, query) {
    const size = readSize(query, 'pageSize', 50);
    const token = query.get('pageToken');
    const start = token ? findPlace(models, decodeToken(token), 'pageToken') + 1 : 0;
    const page = models.slice(start, start + size);
    const last = start + size < models.length ? page.at(-1) : undefined;
    return {
      models: page.map(google.encode),
      ...(last && { nextPageToken: Buffer.from(last.id).toString('base64url') }),
    };
  },
};

const modelFormats: Partial<Record<ProtocolId, ModelFormat>> & {
  readonly 'openai-chat': ModelFormat;
} = {
  'openai-chat': openai,
  'anthropic-messages': anthropic,
  gemini: google,
};

const sizeMax = 1_000;

function readSize(query: URLSearchParams, name: string, usual: number): number {
  const given = query.get(name);
  if (given === null) return usual;
  if (/^[1-9]\d{0,3}$/.test(given) && Number(given) <= sizeMax) return Number(given);
  throw invalidPageError(name, `must be a whole number from 1 to ${sizeMax}`);
}

function findPlace(models: readonly OfferedModel[], id: string, name: string): number {
  const place = models.findIndex((model) => model.id === id);
  if (place === -1) throw invalidPageError(name, 'is not a model in this list');
  return place;
}

function decodeToken(token: string): string {
  return Buffer.from(token, 'base64url').toString();
}

function invalidPageError(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `Invalid value for '${param}': ${problem}.`, { param });
}

export function answerModels(exchange: Authenticated, snapshot: Snapshot): void {
  const { query } = readUrl(exchange);
  answer(exchange, (format) => format.list(listModels(exchange.principal, snapshot), query));
}

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
  const { answers = 'text', vision = false } = findFacts(instance, model) ?? {};
  return { id, createdAtMs, providerKey, takesImages: vision, answers };
}
