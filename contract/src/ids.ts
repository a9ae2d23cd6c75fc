import { z } from 'zod';
import { labelOf } from './describe-field-problem.ts';

/** An id whose refusal says `problem`: positive 32-bit integers, `12` and `"12"` alike, and no other spelling. */
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

/** Row ids of people and configuration. */
export const id = idOr({
  error: ({ input, path }) => (input === undefined ? undefined : `${labelOf(path)} must be an id`),
});

/** A request's id: UUIDv7, made by the gate at receipt. */
export const requestId = z.uuid();

export const idParams = z.object({ id });

/** An instant, ISO 8601 in UTC. */
export const instant = z.iso.datetime({ offset: true });
