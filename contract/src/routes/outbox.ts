import { z } from 'zod';
import { exportFormat, exportMediaTypes } from '../exports.ts';
import { idParams, instant } from '../ids.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

/**
 * `held`: no mail server is set up, so that an administrator passes the link on. `withdrawn`: its link led nowhere any
 * more before the mail was sent.
 */
export const mailStatuses = ['queued', 'sent', 'failed', 'held', 'withdrawn'] as const;

export const mail = z.object({
  id: z.number().int(),
  to_address: z.string(),
  subject: z.string(),
  status: z.enum(mailStatuses),
  error: z.string().nullable(),
  /** Where a held or failed mail leads; only while it is of use, and to those who may give the role that it opens. */
  link: z.string().nullable(),
  created_at: instant,
  sent_at: instant.nullable(),
});

export type Mail = z.infer<typeof mail>;

const mailFilters = {
  /** Found in addresses and subjects. */
  search: z.string().max(200).optional(),
};

export const outboxRoutes = defineRoutes({
  listMails: {
    method: 'GET',
    path: '/admin/outbox',
    surface: 'management',
    permission: 'users.write',
    summary: "The tenant's mails, newest first",
    request: { query: z.strictObject({ ...mailFilters, ...pageQuery(50) }) },
    response: z.array(mail),
  },
  exportMails: {
    method: 'GET',
    path: '/admin/outbox/export',
    surface: 'management',
    permission: 'users.write',
    summary:
      'All mails that pass the filters without their links, newest first, as a file; one export at a time for each person',
    request: { query: z.strictObject({ ...mailFilters, format: exportFormat }) },
    response: z.string(),
    download: exportMediaTypes,
  },
  retryMail: {
    method: 'POST',
    path: '/admin/outbox/{id}/retry',
    surface: 'management',
    permission: 'users.write',
    summary: 'Try to send a mail again',
    request: { params: idParams },
    response: mail,
  },
});
