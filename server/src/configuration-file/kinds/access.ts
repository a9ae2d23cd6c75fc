import {
  addBlacklistEntryBody,
  createLlmProviderBody,
  createTeamBody,
  foldName,
  updateAccessBody,
} from '@sluice/contract';
import { z } from 'zod';
import { addBlacklistEntry, removeBlacklistEntry } from '#console/blacklist/entries.ts';
import {
  grantTeamAccess,
  grantUserAccess,
  removeTeamAccess,
  removeUserAccess,
  updateTeamAccess,
  updateUserAccess,
} from '#console/provider-access/grant.ts';
import { selectBlacklist, selectTeamGrants, selectUserGrants } from '../store.ts';
import {
  accountFields,
  accountId,
  accountKey,
  accountReferences,
  accountSpec,
  accountTitle,
  isOneAccount,
  oneAccountProblem,
} from './accounts.ts';
import { type ApplyContext, field, type Kind, type Reference, type Spec, text } from './kind.ts';

const granted = {
  provider: createLlmProviderBody.shape.provider_instance_name,
  models: updateAccessBody.shape.allowed_models,
};
const fieldNames = {
  allowed_models: 'models',
  llm_provider_id: 'provider',
  user_id: 'user',
  team_id: 'team',
};

const providerReference = (spec: Spec): Reference => ({
  field: 'provider',
  kind: 'provider',
  name: text(spec, 'provider'),
});

const isSameModels = (name: string, stored: unknown, wanted: unknown) =>
  name === 'models' &&
  Array.isArray(stored) &&
  Array.isArray(wanted) &&
  stored.toSorted().join('\n') === [...new Set(wanted)].toSorted().join('\n');

const modelsOf = ({ models }: Spec) => updateAccessBody.shape.allowed_models.parse(models);

const userPlace = (context: ApplyContext, spec: Spec) => ({
  userId: accountId(context, spec) ?? 0,
  providerId: context.idOf('provider', text(spec, 'provider')),
});

export const userGrant: Kind = {
  name: 'user_grant',
  collection: 'user_grants',
  schema: z.strictObject({ ...accountFields, ...granted }).refine(isOneAccount, oneAccountProblem),
  keyFields: ['user', 'service_account', 'provider'],
  fieldNames,
  keyOf: (spec) => `${accountKey(spec)} ${foldName(text(spec, 'provider'))}`,
  titleOf: (spec) => `${accountTitle(spec)} at ${spec.provider}`,
  referencesOf: (spec) => [...accountReferences(spec), providerReference(spec)],
  isEqual: isSameModels,
  async read({ tx, tenantId }) {
    const rows = await selectUserGrants(tx, tenantId);
    return rows.map(({ id, provider, models, ...row }) => ({
      id,
      spec: { ...accountSpec(row), provider, models },
    }));
  },
  async create(context, wanted) {
    const { userId, providerId } = userPlace(context, wanted);
    const body = { user_id: userId, llm_provider_id: providerId, allowed_models: modelsOf(wanted) };
    await grantUserAccess(context.tx, context.author, body);
    return undefined;
  },
  async update(context, { wanted }) {
    const change = { place: userPlace(context, wanted), models: modelsOf(wanted) };
    await updateUserAccess(context.tx, context.author, change);
  },
  async remove(context, { spec }) {
    await removeUserAccess(context.tx, context.author, userPlace(context, spec));
  },
};

const teamPlace = ({ idOf }: ApplyContext, spec: Spec) => ({
  teamId: idOf('team', text(spec, 'team')),
  providerId: idOf('provider', text(spec, 'provider')),
});

export const teamGrant: Kind = {
  name: 'team_grant',
  collection: 'team_grants',
  schema: z.strictObject({ team: createTeamBody.shape.name, ...granted }),
  keyFields: ['team', 'provider'],
  fieldNames,
  keyOf: (spec) => `${foldName(text(spec, 'team'))} ${foldName(text(spec, 'provider'))}`,
  titleOf: (spec) => `${spec.team} at ${spec.provider}`,
  referencesOf: (spec) => [
    { field: 'team', kind: 'team', name: text(spec, 'team') },
    providerReference(spec),
  ],
  isEqual: isSameModels,
  async read({ tx, tenantId }) {
    const rows = await selectTeamGrants(tx, tenantId);
    return rows.map(({ id, ...spec }) => ({ id, spec }));
  },
  async create(context, wanted) {
    const { teamId, providerId } = teamPlace(context, wanted);
    const body = { team_id: teamId, llm_provider_id: providerId, allowed_models: modelsOf(wanted) };
    await grantTeamAccess(context.tx, context.author, body);
    return undefined;
  },
  async update(context, { wanted }) {
    const change = { place: teamPlace(context, wanted), models: modelsOf(wanted) };
    await updateTeamAccess(context.tx, context.author, change);
  },
  async remove(context, { spec }) {
    await removeTeamAccess(context.tx, context.author, teamPlace(context, spec));
  },
};

const { provider_key: vendor, model_pattern: models, reason, description } = addBlacklistEntryBody.shape;

export const blacklistEntry: Kind = {
  name: 'blacklist_entry',
  collection: 'blacklist',
  schema: z.strictObject({ vendor, models: field(models), reason, description }),
  keyFields: ['vendor', 'models'],
  fieldNames: { provider_key: 'vendor', model_pattern: 'models' },
  keyOf: (spec) => `${text(spec, 'vendor').toLowerCase()} ${String(spec.models ?? '').toLowerCase()}`,
  titleOf: (spec) => (spec.models ? `${spec.vendor}: ${spec.models}` : text(spec, 'vendor')),
  isEqual: (_name, stored, wanted) => (stored || null) === (wanted || null),
  async read({ tx, tenantId }) {
    const rows = await selectBlacklist(tx, tenantId);
    return rows.map(({ id, providerKey, modelPattern, ...row }) => ({
      id,
      spec: { vendor: providerKey, models: modelPattern, reason: row.reason, description: row.description },
    }));
  },
  async create({ tx, author }, wanted) {
    const { vendor: key, models: pattern, ...given } = wanted;
    const body = addBlacklistEntryBody.parse({ ...given, provider_key: key, model_pattern: pattern });
    await addBlacklistEntry(tx, author, body);
    return undefined;
  },
  async update(context, { stored, wanted }) {
    await removeBlacklistEntry(context.tx, context.author, stored.id);
    await blacklistEntry.create(context, { ...stored.spec, ...wanted });
  },
  async remove({ tx, author }, { id }) {
    await removeBlacklistEntry(tx, author, id);
  },
};
