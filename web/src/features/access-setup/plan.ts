import type { GrantableProvider, Task, User, UserProviders } from '@sluice/contract';

/** User or service account that gets access. */
export type AccessSubject = Pick<User, 'id' | 'name' | 'role_name' | 'missing'>;

export interface AccessChoices {
  readonly tasks: readonly Pick<Task, 'id' | 'title'>[];
  readonly teams: readonly { readonly id: number; readonly name: string }[];
  readonly providers: readonly GrantableProvider[];
  readonly hasKey: boolean;
}

/** `null` leaves a part unchanged. */
export interface AccessPlan {
  readonly task: 'api-access' | number | null;
  readonly models:
    | { readonly teamId: number }
    | { readonly providerId: number; readonly models: readonly string[] }
    | null;
  readonly hasKey: boolean;
}

/**
 * Form values. `task` is `api-access` or a task id, `models` is for example `team:1` or `provider:2`; an empty string
 * grants nothing.
 */
export interface AccessFields {
  readonly task: string;
  readonly models: string;
  readonly hasKey: boolean;
}

/** Returns form values that grant what the user lacks. The tenant's own providers are preferred to the sandbox. */
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

export interface GivenAccess {
  /** `null` if no key was created. */
  readonly secret: string | null;
  /** `null` if the user has no model. */
  readonly model: string | null;
  readonly missing: User['missing'];
}

/**
 * Returns what the user still lacks after the form was submitted. A team membership does not necessarily grant a
 * model.
 */
export const findRest = (
  { missing }: Pick<User, 'missing'>,
  { task }: AccessFields,
  model: string | null,
): User['missing'] => [
  ...(missing.includes('task') && task === '' ? (['task'] as const) : []),
  ...(model === null ? (['models'] as const) : []),
];

/** Default models of providers are preferred. A sandbox model is returned only if the user has no other. */
export function modelToTry(
  permitted: UserProviders['providers'],
  { providers }: AccessChoices,
): string | null {
  const [best] = permitted.toSorted((one, other) => rankOf(other) - rankOf(one));
  const usual = providers.find(({ id }) => id === best?.llm_provider_id)?.default_model;
  return best?.allowed_models.find((model) => model === usual) ?? best?.allowed_models[0] ?? null;
}

const rankOf = ({ provider_key }: UserProviders['providers'][number]) => Number(provider_key !== 'sandbox');
