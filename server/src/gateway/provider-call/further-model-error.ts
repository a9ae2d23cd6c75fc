import { uncertainBelow } from '@sluice/contract';
import {
  checkFurtherModel,
  isBlacklistedName,
  isOfferedModel,
  type ModelRights,
} from '#domain/access/check-model.ts';
import { isListedName } from '#domain/price/catalogue.ts';
import type { Target } from '#domain/resolve-model.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Authorized, Judgment } from '../exchange.ts';
import { readModelRights } from '../snapshot/model-rights.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';

type JudgedExchange = Authorized & { readonly judgment?: Judgment | null };

/**
 * Each model name that makes the provider use another model is checked against grants, blacklist and trusted models,
 * like `model`. Requests that let the provider pick the models are rejected.
 */
export function furtherModelError(
  exchange: JudgedExchange,
  { instance }: Target<InstanceEntry>,
  snapshot: Snapshot,
): GatewayError | null {
  const { completion, principal } = exchange;
  let rights: ModelRights<InstanceEntry> | null = null;
  let refusal: Pick<GatewayError, 'code' | 'message'> | null = null;
  // Names often repeat, so each allowed name is checked once.
  let allowed: Set<string> | null = null;
  const param = completion.findPlace(({ kind, value }) => {
    const name = String(value).trim();
    if (kind === 'tool' || allowed?.has(name)) return false;
    rights ??= readModelRights(principal, snapshot);
    if (kind === 'value' && !isModelName(name, instance, rights)) return false;
    refusal =
      kind === 'choice'
        ? choiceRefusal(name)
        : (checkFurtherModel(name, instance, rights) ?? checkTrust(name, exchange, snapshot));
    if (refusal !== null) return true;
    allowed ??= new Set();
    allowed.add(name);
    return false;
  });
  if (param === null || refusal === null) return null;
  const { code, message }: Pick<GatewayError, 'code' | 'message'> = refusal;
  return new GatewayError(code, `'${param}' names a model in addition to the requested one. ${message}`, {
    param,
  });
}

function isModelName(name: string, instance: InstanceEntry, rights: ModelRights<InstanceEntry>): boolean {
  const isKnown = isOfferedModel(name, rights) || isListedName(instance.providerKey, name);
  return isKnown || isBlacklistedName(name, instance, rights);
}

function choiceRefusal(name: string): Pick<GatewayError, 'code' | 'message'> {
  const message = `'${name}' lets the provider choose models, so your grants and the blacklist cannot be checked. Omit it and name the model instead.`;
  return { code: 'invalid_request', message };
}

function checkTrust(
  name: string,
  { judgment, principal }: JudgedExchange,
  snapshot: Snapshot,
): Pick<GatewayError, 'code' | 'message'> | null {
  const isTrustedModel = snapshot.tenants.get(principal.tenantId)?.isTrustedModel;
  if (!isTrustedModel || !judgment || (judgment.confidence ?? 0) >= uncertainBelow) return null;
  if (isTrustedModel(name)) return null;
  const message = `The purpose of this prompt is unclear, and your organization allows only trusted models for such prompts. '${name}' is not trusted: omit it, or describe more clearly what you want.`;
  return { code: 'model_not_trusted', message };
}
