import { createApiKeyBody } from '@sluice/contract';
import { createKeyOf } from '#console/api-keys/issue.ts';
import { revokeKeysOf } from '#console/api-keys/revoke.ts';
import { type Command, formatTable, operandOf, textOption, UsageError } from '../command.ts';
import { asOperator } from '../operator.ts';
import { selectValidKeys } from '../store.ts';

export const listKeys: Command = {
  name: 'keys list',
  summary: 'Lists the API keys that are valid, without the keys themselves',
  options: { tenant: { value: 'SLUG', summary: 'of this tenant alone' } },
  async run(call) {
    const keys = await asOperator(call.config, ({ system }) =>
      selectValidKeys(system, textOption(call, 'tenant')),
    );
    const rows = keys.map((key) => [
      key.id,
      key.email,
      key.tenant,
      `...${key.last4}`,
      key.scopes.join(','),
      key.expires_at,
      key.last_used_at,
    ]);
    const columns = ['id', 'email', 'tenant', 'key', 'scopes', 'expires', 'last used'];
    return { json: keys, text: formatTable(columns, rows) };
  },
};

export const createKey: Command = {
  name: 'keys create',
  operands: ['EMAIL'],
  summary: 'Makes the API key of a person who has none, and prints it once',
  options: {
    scopes: { value: 'LIST', summary: 'some of completions,embeddings,models; all unless given' },
    'expires-at': { value: 'TIME', summary: 'such as 2030-01-31T00:00:00Z; never unless given' },
  },
  async run(call) {
    const scopes = textOption(call, 'scopes')?.split(',');
    const expires_at = textOption(call, 'expires-at');
    const { data, error } = createApiKeyBody.safeParse({
      ...(scopes && { scopes }),
      ...(expires_at && { expires_at }),
    });
    if (!data) throw new UsageError(error.issues.map(({ message }) => message).join('\n'));
    const answer = await asOperator(call.config, async ({ requirePerson, inTenant, openKeyring }) => {
      const { id, tenantId } = await requirePerson(operandOf(call, 'EMAIL'));
      const keyring = await openKeyring();
      return inTenant(tenantId, 'createUserApiKey', (tx, author) =>
        createKeyOf(keyring, tx, author, id, data),
      );
    });
    return { json: answer, text: answer.api_key };
  },
};

export const revokeKey: Command = {
  name: 'keys revoke',
  operands: ['EMAIL'],
  summary: 'Revokes the API keys of a person, on every node within a second',
  async run(call) {
    const email = operandOf(call, 'EMAIL');
    const status = await asOperator(call.config, async ({ requirePerson, inTenant }) => {
      const { id, tenantId } = await requirePerson(email);
      return inTenant(tenantId, 'revokeUserApiKey', (tx, author) => revokeKeysOf(tx, author, id));
    });
    return { json: status, text: `${email} has no valid key any more.` };
  },
};
