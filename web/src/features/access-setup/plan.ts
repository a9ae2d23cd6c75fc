import type { GrantableProvider, Task, User, UserProviders } from '@sluice/contract';

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
  /** One to try with; `null` where the person may use none. */
  readonly model: string | null;
  readonly missing: User['missing'];
}

/** What the person still needs, by what they may use now: a team may grant nothing. */
export const findRest = (
  { missing }: Pick<User, 'missing'>,
  { task }: AccessFields,
  model: string | null,
): User['missing'] => [
  ...(missing.includes('task') && task === '' ? (['task'] as const) : []),
  ...(model === null ? (['models'] as const) : []),
];

/** A model that the person may use: a provider's default one where it is among them, of the sandbox only for want of another. */
export function modelToTry(
  permitted: UserProviders['providers'],
  { providers }: AccessChoices,
): string | null {
  const [best] = permitted.toSorted((one, other) => rankOf(other) - rankOf(one));
  const usual = providers.find(({ id }) => id === best?.llm_provider_id)?.default_model;
  return best?.allowed_models.find((model) => model === usual) ?? best?.allowed_models[0] ?? null;
}

const rankOf = ({ provider_key }: UserProviders['providers'][number]) => Number(provider_key !== 'sandbox');
