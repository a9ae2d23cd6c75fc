import type { Attempt } from '../exchange.ts';
import type { Signature } from '../snapshot/tables/llm-providers.ts';
import type { ProviderReports } from './provider-reports.ts';

/**
 * Sends with the newest key, and with the one before it when the provider refuses that and the former is still valid.
 * The refusal is reported, since the former key will soon be gone.
 */
export async function trySignatures<Outcome>(
  { instance, signatures }: Attempt,
  { noteKeyRefusal }: Pick<ProviderReports, 'noteKeyRefusal'>,
  isKeyRefused: (outcome: Outcome) => boolean,
  send: (headers: Signature['headers']) => Promise<Outcome>,
): Promise<Outcome> {
  const nowMs = Date.now();
  const [newest, former] = signatures.filter(
    ({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs,
  );
  const outcome = await send(newest?.headers ?? {});
  if (!former || former.expiresAtMs === null || !isKeyRefused(outcome)) return outcome;
  noteKeyRefusal(instance.id, former.expiresAtMs);
  return send(former.headers);
}
