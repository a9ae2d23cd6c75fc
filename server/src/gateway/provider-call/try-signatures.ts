import type { Attempt } from '../exchange.ts';
import type { Signature } from '../snapshot/tables/llm-providers.ts';
import type { ProviderReports } from './provider-reports.ts';

/**
 * Sends with the newest key, and if the provider rejects it, with the previous key while that is still valid. The
 * rejection is reported, since the previous key will soon expire.
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
