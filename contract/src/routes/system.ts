import { z } from 'zod';
import { defineRoutes } from '../route.ts';

const probe = { method: 'GET', base: '', surface: 'management', permission: 'anyone' } as const;

export const systemRoutes = defineRoutes({
  getHealth: {
    ...probe,
    path: '/healthz',
    summary: 'Whether the process lives; touches nothing else',
    response: z.object({ status: z.literal('ok') }),
  },
  getReadiness: {
    ...probe,
    path: '/readyz',
    summary: 'Whether the node takes requests; 503 with the reason when it does not',
    response: z.object({ status: z.literal('ready') }),
  },
  getOpenapi: {
    method: 'GET',
    path: '/openapi.json',
    surface: 'management',
    permission: 'anyone',
    summary: 'This document',
    response: z.looseObject({ openapi: z.literal('3.1.0') }),
  },
});
