/** One of a person's active tasks, as far as a choice between them goes. */
export interface OwnTask {
  readonly id: number;
  /** Takes the requests that name no task. */
  readonly isApiAccess: boolean;
}

/** What a request works for: a task, nothing, or why that cannot be said. */
export type TaskChoice<Task> =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'none' }
  | { readonly kind: 'required' }
  | { readonly kind: 'not-own' };

/**
 * The task that is named; else the person's API access task; else the only one they have. Who need not work for a task
 * may have none, but a task that is named must be their own: whatever else is wrong with it tells nothing.
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
