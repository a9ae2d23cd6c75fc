import { z } from 'zod';

export const exportFormats = ['csv', 'jsonl'] as const;

export type ExportFormat = (typeof exportFormats)[number];

export const exportFormat = z.enum(exportFormats).default('csv');

export const exportMediaTypes = ['text/csv', 'application/x-ndjson'] as const;
