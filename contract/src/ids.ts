import { z } from 'zod';

/** Row ids of people and configuration: positive 32-bit integers, `12` and `"12"` alike, and no other spelling. */
export const id = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^[1-9][0-9]*$/, 'Must be an id')
        .transform(Number),
    ],
    'Must be an id',
  )
  .pipe(z.number().int().min(1).max(2_147_483_647));

/** A request's id: UUIDv7, made by the gate at receipt. */
export const requestId = z.uuid();

export const idParams = z.object({ id });

/** An instant, ISO 8601 in UTC. */
export const instant = z.iso.datetime({ offset: true });
