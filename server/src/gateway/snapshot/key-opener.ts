import type { Keyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import { openSecret } from '#platform/seal-secret.ts';
import type { OpenApiKey } from './tables/mirrored-table.ts';

/** A key sealed with another secret is logged and not used. */
export function createKeyOpener({ sealingKey }: Pick<Keyring, 'sealingKey'>, log: Logger): OpenApiKey {
  return (sealed, place) => {
    try {
      return openSecret(sealingKey, place, sealed);
    } catch (error) {
      log.error(
        { error, llmProviderId: place.rowId },
        'the key of a provider cannot be decrypted and is not used',
      );
      return null;
    }
  };
}
