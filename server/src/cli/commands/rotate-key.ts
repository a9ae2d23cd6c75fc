import { rotateMasterKey } from '#master-key/rotate.ts';
import { findSecret } from '#supervisor/secret.ts';
import type { Command } from '../command.ts';
import { asOperator } from '../operator.ts';

const brokenAdvice =
  'Nothing was lost by this run. If a rotation before this one was not finished, put the secret before that one behind a comma into SLUICE_FORMER_SECRET, and run this again.';

export const rotateKey: Command = {
  name: 'rotate-key',
  summary: 'Replaces the master key, while Sluice runs or not',
  details:
    'Before, restart each node with SLUICE_SECRET set to the new key and SLUICE_FORMER_SECRET to the one before, and give this command the same.\nIt may be run again after whatever has ended it. API keys and sessions stay valid.',
  async run({ config, note }) {
    const secret = findSecret(config.secret, config.dataDir);
    const { formerSecrets } = config;
    if (secret === null || formerSecrets.length === 0) {
      throw new Error('Set SLUICE_SECRET to the new master key and SLUICE_FORMER_SECRET to the one before.');
    }
    const { changed, broken, formerSecretUntil } = await asOperator(config, ({ system }) =>
      rotateMasterKey({ database: system, secret, formerSecrets, note }),
    );
    const until = formerSecretUntil.toISOString();
    const lost = broken.map((place) => `\nOpens with none of the secrets: ${place}`).join('');
    const advice = broken.length > 0 ? `\n${brokenAdvice}` : '';
    return {
      json: { resealed: changed, broken, former_secret_needed_until: until },
      text: `${changed} secrets are sealed anew. SLUICE_FORMER_SECRET may be removed after ${until}: until then sessions and repeated requests use it.${lost}${advice}`,
      exitCode: broken.length === 0 ? 0 : 1,
    };
  },
};
