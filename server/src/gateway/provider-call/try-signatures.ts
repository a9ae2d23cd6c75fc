import type { Attempt } from '../exchange.ts';
import type { Signature } from '../snapshot/tables/llm-providers.ts';
import type { ProviderReports } from './provider-reports.ts';

/**
 * Sends with the newest key and, if the provider rejects it, with the previous key while that key is valid. The
 * rejection is reported, since the previous key will soon expire.
 */
export function trySignatures<Outcome>(
  { instance, signatures }: Attempt,
  { noteKeyRefusal }: Pick<ProviderReports, 'noteKeyRefusal'>,
  isKeyRefused: (outcome: Outcome) => boolean,
  send: (headers: Signature['headers']) => Promise<Outcome>,
): Promise<Outcome> {
  const only = signatures[0];
  if (signatures.length === 1 && only?.expiresAtMs === null) return send(only.headers);
  const nowMs = Date.now();
  const isValid = ({ expiresAtMs }: Signature) => expiresAtMs === null || expiresAtMs > nowMs;
  const newest = signatures.find(isValid);
  const previous = signatures.find((one) => one !== newest && isValid(one));
  const sent = send(newest?.headers ?? {});
  const endsAtMs = previous?.expiresAtMs ?? null;
  if (!previous || endsAtMs === null) return sent;
  return sent.then((outcome) => {
    if (!isKeyRefused(outcome)) return outcome;
    noteKeyRefusal(instance.id, endsAtMs);
    return send(previous.headers);
  });
}
