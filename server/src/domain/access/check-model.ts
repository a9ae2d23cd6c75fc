import type { RoleName } from '@sluice/contract';
import {
  findMaintenance,
  type ModelDirectory,
  type ProviderInstance,
  type Target,
} from '../resolve-model.ts';
import { type Block, findBlock } from './blacklist.ts';
import type { Refusal } from './refusal.ts';

export interface Grant {
  readonly instanceId: number;
  readonly models: ReadonlySet<string>;
}

export interface TeamGrant extends Grant {
  readonly teamId: number;
}

export interface ModelRights<Instance extends ProviderInstance = ProviderInstance> {
  readonly role: RoleName;
  readonly directory: ModelDirectory<Instance>;
  readonly blocks: readonly Block[];
  readonly grants: readonly Grant[];
  /** Models that the request's API key is restricted to; `null` or absent if the key has no such restriction. */
  readonly keyModels?: ReadonlySet<string> | null;
  /** Only called if the user's own grants are insufficient. Omits inactive teams and memberships. */
  listTeamGrants(): readonly TeamGrant[];
}

/**
 * Target that a user may use. `teamId` is the team with the grant; `null` if the access results from the user's own
 * grant or role.
 */
export interface UsableTarget<Instance extends ProviderInstance = ProviderInstance> extends Target<Instance> {
  readonly teamId: number | null;
}

export type ModelJudgment<Instance extends ProviderInstance> =
  | {
      readonly usable: readonly [UsableTarget<Instance>, ...UsableTarget<Instance>[]];
      readonly refusal: null;
    }
  | { readonly usable: readonly []; readonly refusal: Refusal };

/**
 * Returns the instances that may serve a model to a user, best first. Omits models that are blacklisted, not granted
 * to the user or excluded by the API key.
 */
export function checkModel<Instance extends ProviderInstance>(
  name: string,
  rights: ModelRights<Instance>,
): ModelJudgment<Instance> {
  const offered = rights.directory.resolve(name);
  let usable: readonly UsableTarget<Instance>[] = [];
  for (const target of offered) {
    if (!isForKey(name, target, rights) || findTargetBlock(name, target, rights.blocks)) continue;
    const grant = findGrant(target, rights);
    // Use `concat`, which allocates exactly the needed size. A growing array reserves space for 17 items.
    if (grant)
      usable = usable.concat({ instance: target.instance, model: target.model, teamId: grant.teamId });
  }
  if (isFilled(usable)) return { usable, refusal: null };
  return { usable: [], refusal: modelRefusal(name, offered, rights) };
}

function isFilled<Item>(list: readonly Item[]): list is readonly [Item, ...Item[]] {
  return list.length > 0;
}

/**
 * Checks another model that a request names for the instance to use. Returns the reason for a rejection, or `null` if
 * the model is allowed. Rejects aliases, because providers do not recognize a tenant's aliases.
 */
export function checkFurtherModel<Instance extends ProviderInstance>(
  name: string,
  instance: Instance,
  rights: ModelRights<Instance>,
): Refusal | null {
  const target = { instance, model: name };
  if (!isForKey(name, target, rights)) return keyRefusal(name);
  const block = findTargetBlock(name, target, rights.blocks);
  if (block) return blacklistRefusal(name, block);
  if (!instance.enabledModels.includes(name)) {
    const isAlias = Object.hasOwn(instance.aliases, name);
    const problem = `is not enabled at "${instance.name}"`;
    return refuse('model', name, isAlias ? `is an alias; use the model's own name` : problem);
  }
  return findGrant(target, rights) ? null : refuse('grant', name, 'has not been granted to you');
}

function isForKey(asked: string, { model }: Target, { keyModels }: ModelRights): boolean {
  return !keyModels || keyModels.has(asked) || keyModels.has(model);
}

export function isOfferedModel(name: string, { directory }: ModelRights): boolean {
  return directory.resolve(name).some(({ model }) => name === model || name.endsWith(`/${model}`));
}

/**
 * Whether an arbitrary value is the name of a blacklisted model. A single word such as `high` does not count, because
 * patterns may match many words.
 */
export function isBlacklistedName(
  name: string,
  { providerKey }: ProviderInstance,
  { blocks }: ModelRights,
): boolean {
  return /^\S*[-.:/\d]\S*$/.test(name) && findBlock(blocks, providerKey, name, name) !== undefined;
}

export function findTargetBlock(
  asked: string,
  { instance, model }: Target,
  blocks: readonly Block[],
): Block | undefined {
  return findBlock(blocks, instance.providerKey, asked, model);
}

/** Whether the role needs grants. Administrators may use all enabled models of their tenant's instances. */
export const needsGrant = (role: RoleName): boolean => role === 'user';

/**
 * Finds the grant that applies to a target. The user's own grant takes precedence, followed by the grant of the
 * oldest team.
 */
function findGrant(
  { instance, model }: Target,
  { role, grants, listTeamGrants }: ModelRights,
): { teamId: number | null } | null {
  const isFor = (grant: Grant) => grant.instanceId === instance.id && grant.models.has(model);
  if (!needsGrant(role) || grants.some(isFor)) return ownGrant;
  let deciding: TeamGrant | null = null;
  for (const grant of listTeamGrants()) {
    if (isFor(grant) && (deciding === null || grant.teamId < deciding.teamId)) deciding = grant;
  }
  return deciding;
}

const ownGrant = { teamId: null };

// Reports a blacklist entry if it blocks an instance granted to the user, or if all instances are blocked. Otherwise,
// reports the missing grant.
function modelRefusal(name: string, offered: readonly Target[], rights: ModelRights): Refusal {
  if (offered.length === 0) return refuse('model', name, 'does not exist or is not enabled here');
  if (!offered.some((target) => isForKey(name, target, rights))) return keyRefusal(name);
  const blocked = offered.filter((target) => findTargetBlock(name, target, rights.blocks));
  const telling =
    blocked.find((target) => findGrant(target, rights)) ??
    (blocked.length === offered.length ? blocked[0] : undefined);
  const block = telling && findTargetBlock(name, telling, rights.blocks);
  if (!block) return refuse('grant', name, 'has not been granted to you');
  return blacklistRefusal(name, block);
}

function blacklistRefusal(name: string, block: Block): Refusal {
  return {
    rule: 'blacklist',
    code: 'model_blacklisted',
    message: `The model '${name}' is blacklisted: ${block.reason}. Ask your administrator.`,
  };
}

function keyRefusal(name: string): Refusal {
  return refuse('grant', name, 'is not among the models that this API key is limited to');
}

function refuse(rule: 'model' | 'grant', name: string, reason: string): Refusal {
  const advice = 'GET /api/v1/models lists the models that you can use.';
  return { rule, code: 'model_not_found', message: `The model '${name}' ${reason}. ${advice}` };
}

export interface CallableTargets<Instance extends ProviderInstance> {
  /** In the order in which the gateway tries them. */
  readonly callable: readonly Target<Instance>[];
  readonly inMaintenance: readonly Target<Instance>[];
  readonly inCooldown: readonly { readonly target: Target<Instance>; readonly cooldownMs: number }[];
}

/**
 * Groups targets by availability. `cooldownMsOf` returns the remaining cooldown of a failing target, or `null` for
 * a target that is not in cooldown.
 */
export function sortOutTargets<Instance extends ProviderInstance>(
  usable: readonly Target<Instance>[],
  cooldownMsOf: (target: Target<Instance>) => number | null,
  nowMs: number,
): CallableTargets<Instance> {
  const callable: Target<Instance>[] = [];
  const inMaintenance: Target<Instance>[] = [];
  const inCooldown: { target: Target<Instance>; cooldownMs: number }[] = [];
  for (const target of usable) {
    const cooldownMs = cooldownMsOf(target);
    if (findMaintenance(target.instance, nowMs)) inMaintenance.push(target);
    else if (cooldownMs !== null) inCooldown.push({ target, cooldownMs });
    else callable.push(target);
  }
  return { callable, inMaintenance, inCooldown };
}
