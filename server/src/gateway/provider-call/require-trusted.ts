import { uncertainBelow } from '@sluice/contract';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Classified } from '../exchange.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/**
 * Returns the targets that may receive this prompt: if its intent is uncertain, only the tenant's trusted models, if it
 * has any. Prompts that are not judged, such as texts to embed, may go anywhere.
 * @throws GatewayError if none is left
 */
export function requireTrusted(
  { judgement, principal, targets }: Classified,
  snapshot: Snapshot,
): Classified['targets'] {
  const isTrustedModel = snapshot.tenants.get(principal.tenantId)?.isTrustedModel;
  if (!isTrustedModel || !judgement || (judgement.confidence ?? 0) >= uncertainBelow) return targets;
  const [first, ...others] = targets.filter(({ model }) => isTrustedModel(model));
  if (first) return [first, ...others];
  const reading =
    judgement.intent === null
      ? 'holds no words that say what it asks for'
      : `reads as ${judgement.intent} with only ${Math.floor((judgement.confidence ?? 0) * 100)} % confidence`;
  throw new GatewayError(
    'model_not_trusted',
    `This prompt ${reading}, and your organisation sends such prompts to its trusted models alone. Say more clearly what you want, or ask your administrator which models these are.`,
    { param: 'model' },
  );
}
