import { z } from 'zod';
import { labelOf } from './describe-field-problem.ts';

/** Accepts positive 32-bit integers, as number or decimal string. */
export const idOr = (problem: string | { error: z.core.$ZodErrorMap }) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .max(10, problem)
          .regex(/^[1-9][0-9]*$/, problem)
          .transform(Number),
      ],
      problem,
    )
    .pipe(z.number().int(problem).min(1, problem).max(2_147_483_647, problem));

export const id = idOr({
  error: ({ input, path }) => (input === undefined ? undefined : `${labelOf(path)} must be an id`),
});

/** UUIDv7 that the gateway creates when it receives the request. */
export const requestId = z.uuid();

export const idsMax = 100;

/** Repeatable query parameter. Matches any of the ids. */
export const ids = z
  .union([id, z.array(id).min(1).max(idsMax)])
  .transform((given) => (Array.isArray(given) ? given : [given]));

export const idParams = z.object({ id });

/** ISO 8601, UTC. */
export const instant = z.iso.datetime({ offset: true });
