import type { Model } from '@sluice/contract';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Authenticated } from './pipeline/authenticate.ts';
import { mayUse } from './pipeline/authorize.ts';
import { sendJson } from './pipeline/relay.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** The models a principal may use, or the one whose name is given; names are those that a request may say. */
export function answerModels(
  { principal, response }: Authenticated,
  snapshot: Snapshot,
  name: string | null,
): void {
  const models = listModels(principal, snapshot);
  const answer = name === null ? { object: 'list', data: models } : models.find(({ id }) => id === name);
  if (!answer)
    throw new GatewayError('model_not_found', `The model '${name}' does not exist or is not yours to use.`, {
      param: 'model',
    });
  sendJson(response, 200, Buffer.from(JSON.stringify(answer)));
}

function listModels(principal: Authenticated['principal'], snapshot: Snapshot): Model[] {
  const models = new Map<string, Model>();
  for (const instance of snapshot.instances.find(principal.tenantId)) {
    if (!instance.isActive) continue;
    const names = [
      ...instance.enabledModels.map((model) => [model, model] as const),
      ...Object.entries(instance.aliases),
    ];
    for (const [id, model] of names) {
      if (models.has(id) || !mayUse(principal, { instance, model }, snapshot)) continue;
      models.set(id, {
        id,
        object: 'model',
        created: Math.floor(instance.createdAtMs / 1000),
        owned_by: instance.providerKey,
      });
    }
  }
  return [...models.values()];
}
