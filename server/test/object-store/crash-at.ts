/** Point at which one call to the wrapped objects fails, either before or after the operation. */
export interface CrashPoint {
  readonly call: number;
  readonly when: 'before' | 'after';
}

export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/** Wraps objects so that the named methods fail at a crash point. Reports whether the crash point was reached. */
export function crashAt({ call, when }: CrashPoint) {
  let calls = 0;
  const wrap = <Target extends object>(target: Target, names: readonly (keyof Target)[]): Target =>
    new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        // safe because `names` is only searched for `name`
        if (!names.includes(name as keyof Target)) return value.bind(target);
        return async (...args: unknown[]) => {
          calls += 1;
          const isHit = calls === call;
          if (isHit && when === 'before') throw new CrashError('crashed');
          const result: unknown = await value.apply(target, args);
          if (isHit) throw new CrashError('crashed');
          return result;
        };
      },
    });
  return { wrap, isReached: () => calls >= call };
}
