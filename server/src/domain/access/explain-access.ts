import type { AccessExplanation } from '@sluice/contract';
import { chooseTask, type OwnTask } from '../choose-task.ts';
import { createModelDirectory, type ProviderInstance, type Target } from '../resolve-model.ts';
import {
  because,
  checkLimits,
  checkTenant,
  checkUser,
  formatStanding,
  type LimitStanding,
  type TenantStanding,
} from './check-caller.ts';
import { checkModel, findTargetBlock, type ModelRights, needsGrant, sortOutTargets } from './check-model.ts';
import type { AccessRuleName, Refusal } from './refusal.ts';

export interface ExplainedInstance extends ProviderInstance {
  /** Reason why the gateway does not call the instance; `null` if the instance can be called. */
  readonly inactiveReason: string | null;
}

export interface AccessQuestion {
  readonly model: string;
  readonly person: {
    readonly name: string;
    readonly isActive: boolean;
    readonly blockedReason: string | null;
  };
  readonly tenant: TenantStanding & { readonly name: string };
  readonly tasks: readonly (OwnTask & { readonly title: string })[];
  readonly taskId: number | null;
  readonly instances: readonly ExplainedInstance[];
  readonly rights: Omit<ModelRights<ExplainedInstance>, 'directory'>;
  readonly teamNames: ReadonlyMap<number, string>;
  readonly limitsOf: (targets: readonly Target<ExplainedInstance>[]) => readonly LimitStanding[];
  /** Returns the remaining cooldown of a failing target in milliseconds; `null` if the target has no cooldown. */
  readonly cooldownMsOf: (target: Target) => number | null;
  readonly nowMs: number;
}

type RuleOutcome = AccessExplanation['rules'][number];

interface Word {
  readonly detail: string;
  readonly refusal: Refusal | null;
}

export function explainAccess(
  question: AccessQuestion,
): Pick<AccessExplanation, 'is_allowed' | 'error_code' | 'rules'> {
  const rules: RuleOutcome[] = [];
  let refusal: Refusal | null = null;
  for (const [name, ask] of listRules(question)) {
    if (refusal) {
      rules.push({
        name,
        outcome: 'not_asked',
        detail: 'Not checked, because an earlier rule refuses the request.',
      });
      continue;
    }
    const word = ask();
    refusal = word.refusal;
    rules.push({ name, outcome: refusal ? 'refuses' : 'passes', detail: word.detail });
  }
  return { is_allowed: refusal === null, error_code: refusal?.code ?? null, rules };
}

function listRules(question: AccessQuestion): [AccessRuleName, () => Word][] {
  const directory = createModelDirectory(question.instances);
  const judged = checkModel(question.model, { ...question.rights, directory });
  const offered = directory.resolve(question.model);
  const ofModel = (rule: AccessRuleName, detail: string): Word => ({
    detail,
    refusal: judged.refusal?.rule === rule ? judged.refusal : null,
  });
  return [
    ['user', () => explainPerson(question)],
    ['task', () => explainTask(question)],
    ['tenant', () => explainTenant(question)],
    ['model', () => ofModel('model', explainModel(question, offered))],
    ['blacklist', () => ofModel('blacklist', explainBlacklist(question, offered))],
    ['grant', () => ofModel('grant', explainGrants(question, judged.usable, offered))],
    ['limits', () => explainLimits(question.limitsOf(judged.usable))],
    ['provider', () => explainProviders(judged.usable, question)],
  ];
}

function explainPerson({ person }: AccessQuestion): Word {
  const refusal = checkUser(person);
  if (!refusal) return { detail: `${person.name} is active.`, refusal };
  if (!person.isActive)
    return { detail: `${person.name} is inactive: their keys and sessions are refused.`, refusal };
  return { detail: `${person.name} is blocked: ${person.blockedReason || 'no reason was given'}.`, refusal };
}

function explainTask({ person, rights, tasks, taskId }: AccessQuestion): Word {
  const chosen = chooseTask(tasks, taskId, rights.role !== 'user');
  if (chosen.kind === 'task') {
    const unnamed = chosen.task.isApiAccess ? 'API access task' : 'only task';
    const kind = taskId === null ? unnamed : 'task';
    return { detail: `The request is assigned to the ${kind} '${chosen.task.title}'.`, refusal: null };
  }
  if (chosen.kind === 'not-own') {
    const detail = `Task ${taskId} is not an active task of ${person.name}.`;
    return { detail, refusal: { rule: 'task', code: 'task_not_found', message: detail } };
  }
  if (chosen.kind === 'none') {
    return { detail: `The role ${rights.role} needs no task.`, refusal: null };
  }
  const detail =
    tasks.length === 0
      ? `${person.name} has no active task.`
      : `${person.name} has ${tasks.length} active tasks and no API access task: requests that do not name a task are refused.`;
  return { detail, refusal: { rule: 'task', code: 'task_required', message: detail } };
}

function explainTenant({ tenant }: AccessQuestion): Word {
  return {
    detail: `${tenant.name} is ${tenant.status}${because(tenant.suspensionReason)}.`,
    refusal: checkTenant(tenant),
  };
}

function explainModel({ model, instances }: AccessQuestion, offered: readonly Target[]): string {
  if (offered.length > 0) {
    const meanings = new Set(offered.map((target) => target.model));
    const meaning = [...meanings].filter((name) => name !== model);
    const offer = `${listNames(offered)} ${offered.length === 1 ? 'offers' : 'offer'} '${model}'`;
    return meaning.length === 0 ? `${offer}.` : `${offer}, which is an alias of '${meaning.join("', '")}'.`;
  }
  const inactive = instances
    .filter(({ isActive }) => !isActive)
    .filter((instance) => createModelDirectory([{ ...instance, isActive: true }]).resolve(model).length > 0)
    .map(({ name, inactiveReason }) => `'${name}' would, but ${inactiveReason ?? 'is inactive'}`);
  const others = inactive.length === 0 ? '' : ` ${inactive.join('; ')}.`;
  return `No active provider offers '${model}'.${others}`;
}

function explainBlacklist({ model, rights }: AccessQuestion, offered: readonly Target[]): string {
  const blocked = offered.flatMap((target) => {
    const block = findTargetBlock(model, target, rights.blocks);
    return block
      ? [`'${target.model}' at '${target.instance.name}' is blocked by the blacklist (${block.reason})`]
      : [];
  });
  return blocked.length === 0 ? 'No blacklist entry matches.' : `${blocked.join('; ')}.`;
}

function explainGrants(
  { person, rights, teamNames }: AccessQuestion,
  usable: readonly (Target & { readonly teamId: number | null })[],
  offered: readonly Target[],
): string {
  if (usable.length === 0) {
    const models = new Set(offered.map((target) => `'${target.model}'`));
    return `Neither ${person.name} nor an active team of theirs is granted ${[...models].join(', ')} at ${listNames(offered)}.`;
  }
  if (!needsGrant(rights.role)) return `The role ${rights.role} needs no grant.`;
  const grants = usable.map(({ instance, teamId }) =>
    teamId === null
      ? `'${instance.name}' by a direct grant`
      : `'${instance.name}' by the team '${teamNames.get(teamId) ?? teamId}'`,
  );
  return `Granted: ${grants.join(', ')}.`;
}

function explainProviders(usable: readonly Target[], { cooldownMsOf, nowMs }: AccessQuestion): Word {
  const { callable, inMaintenance, inCooldown } = sortOutTargets(usable, cooldownMsOf, nowMs);
  const obstacles = [
    ...inMaintenance.map(({ instance }) => `'${instance.name}' is in maintenance.`),
    ...inCooldown.map(
      ({ target, cooldownMs }) =>
        `'${target.instance.name}' has failed too often and is in cooldown for ${Math.ceil(cooldownMs / 1000)} s.`,
    ),
  ];
  const [first, ...others] = callable;
  if (!first) {
    const detail = obstacles.join(' ');
    const code = inCooldown.length > 0 ? 'upstream_unavailable' : 'provider_in_maintenance';
    return { detail, refusal: { rule: 'provider', code, message: detail } };
  }
  const instance = `'${first.instance.name}' (${first.instance.providerKey})`;
  const fallbacks = others.length === 0 ? '' : ` If it fails, the fallback is ${listNames(others)}.`;
  const asked = `${instance} is called first: it is active and its key can be decrypted.${fallbacks}`;
  return { detail: [...obstacles, asked].join(' '), refusal: null };
}

function explainLimits(standings: readonly LimitStanding[]): Word {
  const refusal = checkLimits(standings);
  return { detail: standings.map(formatStanding).join(' '), refusal };
}

function listNames(targets: readonly Target[]): string {
  return targets.map(({ instance }) => `'${instance.name}'`).join(', ');
}
