export interface OwnTask {
  readonly id: number;
  /** Whether the task is used for requests that name no task. */
  readonly isApiAccess: boolean;
}

/** Task of a request, no task, or the reason why the task cannot be determined. */
export type TaskChoice<Task> =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'none' }
  | { readonly kind: 'required' }
  | { readonly kind: 'not-own' };

/**
 * Chooses the named task, else the user's API access task, else the user's only task. Users who need no task may have
 * none. A named task must be assigned to the user; other problems with the task are not disclosed.
 */
export function chooseTask<Task extends OwnTask>(
  own: readonly Task[],
  named: number | null,
  mayHaveNone: boolean,
): TaskChoice<Task> {
  if (named !== null) {
    const task = own.find(({ id }) => id === named);
    return task ? { kind: 'task', task } : { kind: 'not-own' };
  }
  const task = own.find(({ isApiAccess }) => isApiAccess) ?? (own.length === 1 ? own[0] : undefined);
  if (task) return { kind: 'task', task };
  return { kind: mayHaveNone ? 'none' : 'required' };
}
