import { z } from 'zod';
import { idParams } from '../ids.ts';
import { labelSet } from '../labels.ts';
import { defineRoutes } from '../route.ts';

/** Replaces all previous labels. New labels apply to later requests. */
export const labelsBody = z.strictObject({ labels: labelSet });

export const labelsOfSubject = z.object({ labels: z.record(z.string(), z.string()) });

export type LabelsOfSubject = z.infer<typeof labelsOfSubject>;

const get = {
  method: 'GET',
  surface: 'management',
  request: { params: idParams },
  response: labelsOfSubject,
} as const;

const set = {
  method: 'PUT',
  surface: 'management',
  request: { params: idParams, body: labelsBody },
  response: labelsOfSubject,
} as const;

export const labelsRoutes = defineRoutes({
  getTeamLabels: {
    ...get,
    path: '/admin/teams/{id}/labels',
    permission: 'teams.write',
    summary: 'Get the labels of a team',
  },
  setTeamLabels: {
    ...set,
    path: '/admin/teams/{id}/labels',
    permission: 'teams.write',
    summary: 'Replace the labels of a team; requests under its grants get them from then on',
  },
  getUserLabels: {
    ...get,
    path: '/admin/users/{id}/labels',
    permission: 'users.read',
    summary: 'Get the labels of a user',
  },
  setUserLabels: {
    ...set,
    path: '/admin/users/{id}/labels',
    permission: 'users.write',
    summary: 'Replace the labels of a user; the requests of the user get them from then on',
  },
  getTaskLabels: {
    ...get,
    path: '/admin/tasks/{id}/labels',
    permission: 'tasks.read',
    summary: 'Get the labels of a task',
  },
  setTaskLabels: {
    ...set,
    path: '/admin/tasks/{id}/labels',
    permission: 'tasks.write',
    summary: 'Replace the labels of a task; requests for it get them from then on',
  },
});
