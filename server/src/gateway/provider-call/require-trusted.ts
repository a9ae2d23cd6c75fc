import { uncertainBelow } from '@sluice/contract';
import type { Target } from '#domain/resolve-model.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Authorized, Classified, ProviderRequest } from '../exchange.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';

/**
 * Returns the targets that may receive this prompt. If the intent is uncertain and the tenant has trusted models,
 * only those may. Prompts that are not judged, such as texts to embed, may be sent to all targets.
 * @throws GatewayError if no target is left
 */
export function requireTrusted(
  { judgment, principal, targets }: Classified,
  snapshot: Snapshot,
): Classified['targets'] {
  const isTrustedModel = snapshot.tenants.get(principal.tenantId)?.isTrustedModel;
  if (!isTrustedModel || !judgment || (judgment.confidence ?? 0) >= uncertainBelow) return targets;
  const [first, ...others] = targets.filter(({ model }) => isTrustedModel(model));
  if (first) return [first, ...others];
  const reading =
    judgment.intent === null
      ? 'contains no text that shows its purpose'
      : `was classified as ${judgment.intent} with only ${Math.floor((judgment.confidence ?? 0) * 100)}% confidence`;
  throw new GatewayError(
    'model_not_trusted',
    `This prompt ${reading}, and your organization allows only trusted models for such prompts. Describe more clearly what you want, or ask your administrator which models are trusted.`,
    { param: 'model' },
  );
}

/**
 * Returns an error if credits cannot pay for a request. Prices cover only a model's tokens, while a search, a hosted
 * tool or a faster service tier costs the operator more. Translated requests never include these.
 */
export function paidExtraError(
  { completion }: Authorized,
  { instance }: Target<InstanceEntry>,
  { isPassThrough }: ProviderRequest,
): GatewayError | null {
  if (!instance.isServiceManaged || !isPassThrough) return null;
  const param = completion.findPaidExtra();
  if (param === null) return null;
  const message = `'${param}' may cost more than the tokens of the model, and "${instance.name}" is paid with credits, which do not cover it. Omit it, or use an instance that your organization manages itself.`;
  return new GatewayError('invalid_request', message, { param });
}
