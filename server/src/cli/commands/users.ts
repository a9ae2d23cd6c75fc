import { createUserBody, resetPasswordBody, roleNames } from '@sluice/contract';
import * as secondFactor from '#console/second-factor/reset.ts';
import { findRoleId } from '#console/tenants/store.ts';
import * as block from '#console/users/block.ts';
import {
  changeUserPassword,
  hashNewPassword,
  requireUncommonPassword,
} from '#console/users/change-password.ts';
import { createUser as addUser } from '#console/users/create.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { type Command, formatTable, operandOf, textOption, UsageError } from '../command.ts';
import { asOperator } from '../operator.ts';
import { readNewPassword } from '../read-secret.ts';
import { requireTenantId, selectPeople } from '../store.ts';

const tenantOption = { tenant: { value: 'SLUG', summary: 'only of this tenant' } };
const passwordWords =
  'The password is read from the first line of standard input; at a terminal one is generated and printed.';

export const listUsers: Command = {
  name: 'users list',
  summary: 'Lists users',
  options: tenantOption,
  async run(call) {
    const people = await asOperator(call.config, ({ system }) =>
      selectPeople(system, textOption(call, 'tenant')),
    );
    const rows = people.map((person) => [
      person.id,
      person.email,
      person.role,
      person.tenant,
      person.is_active,
      person.is_blocked,
    ]);
    return { json: people, text: formatTable(['id', 'email', 'role', 'tenant', 'active', 'blocked'], rows) };
  },
};

export const createUser: Command = {
  name: 'users create',
  operands: ['EMAIL'],
  summary: 'Creates a user with a password',
  details: passwordWords,
  options: {
    name: { value: 'NAME', summary: 'name of the user; default: the part of the email address before the @' },
    role: { value: 'ROLE', summary: `${roleNames.join(', ')}; default: user` },
    tenant: { value: 'SLUG', summary: 'tenant of the user; required if there are several tenants' },
  },
  async run(call) {
    const role = roleNames.find((name) => name === (textOption(call, 'role') ?? 'user'));
    if (!role) throw new UsageError(`--role must be one of ${roleNames.join(', ')}.`);
    const { password, isMade } = await readNewPassword(call.input);
    const email = operandOf(call, 'EMAIL');
    const given = { email, name: textOption(call, 'name') ?? email.replace(/@.*/, ''), password, role_id: 1 };
    const { data, error } = createUserBody.safeParse(given);
    if (!data) throw new UsageError(error.issues.map(({ message }) => message).join('\n'));
    requireUncommonPassword(password);
    const passwordHash = await createPasswordHasher().hash(password);
    const { id } = await asOperator(call.config, async ({ system, inTenant }) => {
      const tenantId = await requireTenantId(system, textOption(call, 'tenant'));
      return inTenant(tenantId, 'createUser', async (tx, author) =>
        addUser(tx, author, {
          role_id: await findRoleId(tx, role),
          email: data.email,
          name: data.name,
          passwordHash,
        }),
      );
    });
    const made = isMade ? `\nPassword   ${password}` : '';
    return {
      json: { id, email: data.email, role, ...(isMade && { password }) },
      text: `Created ${data.email} with the role ${role}.${made}`,
    };
  },
};

export const blockUser: Command = {
  name: 'users block',
  operands: ['EMAIL', 'REASON'],
  summary: 'Blocks a user at the gateway; the user sees the reason',
  async run(call) {
    const email = operandOf(call, 'EMAIL');
    const user = await asOperator(call.config, async ({ requirePerson, inTenant }) => {
      const { id, tenantId } = await requirePerson(email);
      return inTenant(tenantId, 'blockUser', (tx, author) =>
        block.blockUser(tx, author, { userId: id, reason: operandOf(call, 'REASON') }),
      );
    });
    return { json: user, text: `${email} is blocked, on every node within a second.` };
  },
};

export const unblockUser: Command = {
  name: 'users unblock',
  operands: ['EMAIL'],
  summary: 'Unblocks a user',
  async run(call) {
    const email = operandOf(call, 'EMAIL');
    const user = await asOperator(call.config, async ({ requirePerson, inTenant }) => {
      const { id, tenantId } = await requirePerson(email);
      return inTenant(tenantId, 'unblockUser', (tx, author) => block.unblockUser(tx, author, id));
    });
    return { json: user, text: `${email} is not blocked.` };
  },
};

export const setPassword: Command = {
  name: 'users set-password',
  operands: ['EMAIL'],
  summary: 'Sets the password of a user, for example one who can no longer sign in',
  details: `${passwordWords} All sessions of the user end.`,
  async run(call) {
    const email = operandOf(call, 'EMAIL');
    const { password, isMade } = await readNewPassword(call.input);
    const { error } = resetPasswordBody.safeParse({ password });
    if (error) throw new Error(error.issues[0]?.message);
    await asOperator(call.config, async ({ requirePerson, inTenant }) => {
      const { id: userId, tenantId } = await requirePerson(email);
      const passwordHash = await hashNewPassword(createPasswordHasher(), { tenantId, userId }, password);
      await inTenant(tenantId, 'changeUserPassword', (tx, author) =>
        changeUserPassword(tx, author, { userId, passwordHash }),
      );
    });
    const made = isMade ? `\nPassword   ${password}` : '';
    return {
      json: { email, ...(isMade && { password }) },
      text: `The password of ${email} was changed, and all sessions have ended.${made}`,
    };
  },
};

export const resetSecondFactor: Command = {
  name: 'users reset-second-factor',
  operands: ['EMAIL'],
  summary: 'Removes all second factors of a user, for example one who lost the device and the recovery codes',
  details:
    'Until a new factor is set up, the user signs in with the password only. All sessions of the user end.',
  async run(call) {
    const email = operandOf(call, 'EMAIL');
    await asOperator(call.config, async ({ requirePerson, inTenant }) => {
      const { id, tenantId } = await requirePerson(email);
      await inTenant(tenantId, 'resetSecondFactor', (tx, author) =>
        secondFactor.resetSecondFactor(null, tx, author, id),
      );
    });
    return {
      json: { email },
      text: `The second factors of ${email} were removed, and all sessions have ended.`,
    };
  },
};
