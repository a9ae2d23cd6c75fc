import type { GrantableProvider, Task, User } from '@sluice/contract';

/** What can be given to a person, and what they have. */
export interface AccessChoices {
  readonly tasks: readonly Pick<Task, 'id' | 'title'>[];
  readonly teams: readonly { readonly id: number; readonly name: string }[];
  readonly providers: readonly GrantableProvider[];
  readonly hasKey: boolean;
}

/** What to give; `null` leaves a part as it is. */
export interface AccessPlan {
  readonly task: 'api-access' | number | null;
  readonly models:
    | { readonly teamId: number }
    | { readonly providerId: number; readonly models: readonly string[] }
    | null;
  readonly hasKey: boolean;
}

/** What the fields hold: `api-access` or a task's id; `team:1` or `provider:2`; empty for nothing. */
export interface AccessFields {
  readonly task: string;
  readonly models: string;
  readonly hasKey: boolean;
}

/** What the person lacks, as far as there is something to give: one's own provider before the sandbox. */
export function suggestFields({ missing }: Pick<User, 'missing'>, choices: AccessChoices): AccessFields {
  const [first, ...others] = choices.providers;
  const provider = [first, ...others].find((one) => one?.provider_key !== 'sandbox') ?? first;
  return {
    task: missing.includes('task') ? 'api-access' : '',
    models: missing.includes('models') && provider ? `provider:${provider.id}` : '',
    hasKey: !choices.hasKey,
  };
}

export function toPlan({ task, models, hasKey }: AccessFields, choices: AccessChoices): AccessPlan {
  const [kind, id] = models.split(':');
  const provider = kind === 'provider' && choices.providers.find((one) => one.id === Number(id));
  return {
    task: task === '' ? null : task === 'api-access' ? task : Number(task),
    models:
      kind === 'team'
        ? { teamId: Number(id) }
        : provider
          ? { providerId: provider.id, models: provider.enabled_models }
          : null,
    hasKey,
  };
}

/** What was given, and what the person lacks all the same. */
export interface GivenAccess {
  /** `null` where no key was made. */
  readonly secret: string | null;
  readonly model: string;
  readonly missing: User['missing'];
}

/** What of the person's needs the fields leave open. */
export const findRest = ({ missing }: Pick<User, 'missing'>, fields: AccessFields): User['missing'] =>
  missing.filter((part) => fields[part] === '');

/** A model to try with: of the provider that was granted, else of any. */
export function modelToTry({ models }: AccessFields, { providers }: AccessChoices): string {
  const granted = providers.find(({ id }) => models === `provider:${id}`) ?? providers[0];
  return granted?.default_model ?? granted?.enabled_models[0] ?? 'sandbox-normal';
}
