import { z } from 'zod';
import { exportFormat, exportMediaTypes } from '../exports.ts';
import { idParams, instant } from '../ids.ts';
import { pageBefore, pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

/**
 * `held`: no mail server is configured, so an administrator passes on the link. `withdrawn`: the link became invalid
 * before the mail was sent.
 */
export const mailStatuses = ['queued', 'sent', 'failed', 'held', 'withdrawn'] as const;

export const mail = z.object({
  id: z.number().int(),
  to_address: z.string(),
  subject: z.string(),
  status: z.enum(mailStatuses),
  error: z.string().nullable(),
  /** `null` if the link is no longer valid, or if the caller may not assign the role of the invitation. */
  link: z.string().nullable(),
  created_at: instant,
  sent_at: instant.nullable(),
});

export type Mail = z.infer<typeof mail>;

const mailFilters = {
  search: z.string().max(200).optional(),
};

export const outboxRoutes = defineRoutes({
  listMails: {
    method: 'GET',
    path: '/admin/outbox',
    surface: 'management',
    permission: 'users.write',
    summary: "List the tenant's emails, newest first",
    request: { query: z.strictObject({ ...mailFilters, ...pageQuery(50), before: pageBefore }) },
    response: z.array(mail),
  },
  exportMails: {
    method: 'GET',
    path: '/admin/outbox/export',
    surface: 'management',
    permission: 'users.write',
    summary:
      'Export all emails that match the filters, without their links, newest first; one export at a time per tenant',
    request: { query: z.strictObject({ ...mailFilters, format: exportFormat }) },
    response: z.string(),
    download: exportMediaTypes,
  },
  retryMail: {
    method: 'POST',
    path: '/admin/outbox/{id}/retry',
    surface: 'management',
    permission: 'users.write',
    summary: 'Retry sending an email',
    request: { params: idParams },
    response: mail,
  },
});
