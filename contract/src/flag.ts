import { z } from 'zod';

/** Yes or no in a query. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
