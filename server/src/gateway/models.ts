import { GatewayError } from '#errors/gateway-error.ts';
import { type ModelFormat, modelFormats, type OfferedModel } from './model-formats.ts';
import type { Authenticated } from './pipeline/authenticate.ts';
import { mayUse } from './pipeline/authorize.ts';
import { sendJson } from './send-json.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** The models a principal may use, in the format of the caller's protocol. */
export function answerModels(exchange: Authenticated, snapshot: Snapshot): void {
  const { query } = readUrl(exchange);
  answer(exchange, (format) => format.list(listModels(exchange.principal, snapshot), query));
}

/** The one model that the path names, by a name that a request may say. */
export function answerModel(exchange: Authenticated, snapshot: Snapshot): void {
  const name = exchange.parameter;
  const model = listModels(exchange.principal, snapshot).find(({ id }) => id === name);
  if (!model) {
    throw new GatewayError('model_not_found', `The model '${name}' does not exist or is not yours to use.`, {
      param: 'model',
    });
  }
  answer(exchange, (format) => format.describe(model));
}

function answer({ response, route }: Authenticated, describe: (format: ModelFormat) => object): void {
  const format = modelFormats[route.protocol.id] ?? modelFormats['openai-chat'];
  sendJson(response, 200, Buffer.from(JSON.stringify(describe(format))));
}

function readUrl({ request }: Authenticated): { query: URLSearchParams } {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  return { query: new URLSearchParams(mark === -1 ? '' : url.slice(mark)) };
}

function listModels(principal: Authenticated['principal'], snapshot: Snapshot): OfferedModel[] {
  const models = new Map<string, OfferedModel>();
  for (const instance of snapshot.instances.find(principal.tenantId)) {
    if (!instance.isActive) continue;
    const names = [
      ...instance.enabledModels.map((model) => [model, model] as const),
      ...Object.entries(instance.aliases),
    ];
    for (const [id, model] of names) {
      if (models.has(id) || !mayUse(principal, { instance, model }, snapshot)) continue;
      models.set(id, { id, createdAtMs: instance.createdAtMs, providerKey: instance.providerKey });
    }
  }
  return [...models.values()];
}
