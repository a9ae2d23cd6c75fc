import { z } from 'zod';
import { instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

export const bannerSeverities = ['info', 'warning', 'error'] as const;

/** What a person who signs in should know about the installation at the moment. */
export const banner = z.object({
  id: z.string(),
  severity: z.enum(bannerSeverities),
  message: z.string(),
  raised_at: instant,
});

export type Banner = z.infer<typeof banner>;

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
  getStatus: {
    method: 'GET',
    path: '/status',
    surface: 'management',
    permission: 'account.read',
    summary: 'The version, and the banners that the console shows to this person on every page',
    response: z.object({ version: z.string(), banners: z.array(banner) }),
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
