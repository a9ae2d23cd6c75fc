import { addBlacklistEntryBody, modelPattern } from '@sluice/contract';
import { z } from 'zod';
import { writePattern } from './find.ts';

/** Option for a provider or reason that is not in the list. */
export const other = 'other';

export const presetReasons = [
  'Policy violation',
  'Security concerns',
  'Cost management',
  'Performance issues',
  'Compliance requirements',
  'Data privacy',
  'Content filtering',
  'Rate limiting',
] as const;

export interface BlockValues extends Record<string, unknown> {
  provider: string;
  custom_provider: string;
  block: 'complete' | 'partial';
  mode: 'pattern' | 'select';
  model_pattern: string;
  models: string[];
  preset_reason: string;
  custom_reason: string;
  description: string;
}

export const noBlock: BlockValues = {
  provider: '',
  custom_provider: '',
  block: 'complete',
  mode: 'pattern',
  model_pattern: '',
  models: [],
  preset_reason: '',
  custom_reason: '',
  description: '',
};

const missing = 'Provider key and reason are required';
const { reason, description } = addBlacklistEntryBody.shape;

/** Converts the form's fields to the contract's request body. */
export const blockForm = z
  .object({
    provider: z.string(),
    custom_provider: z.string().trim().max(100),
    block: z.enum(['complete', 'partial']),
    mode: z.enum(['pattern', 'select']),
    model_pattern: modelPattern,
    models: z.array(z.string()),
    preset_reason: z.string(),
    custom_reason: z.string().trim(),
    description: description.unwrap().unwrap(),
  })
  .superRefine((values, check) => {
    const refuse = (path: keyof BlockValues, message: string) =>
      check.addIssue({ code: 'custom', path: [path], message });
    if (values.provider === '') refuse('provider', missing);
    if (values.provider === other && values.custom_provider === '') refuse('custom_provider', missing);
    if (isPartial(values, 'pattern') && values.model_pattern === '')
      refuse('model_pattern', 'Model pattern is required for partial blocking');
    if (isPartial(values, 'select') && values.models.length === 0)
      refuse('models', 'Please select at least one model to blacklist');
    const checked = reason.safeParse(reasonOf(values));
    if (!checked.success) {
      const path = values.preset_reason === other ? 'custom_reason' : 'preset_reason';
      refuse(path, checked.error.issues[0]?.message ?? missing);
    }
  })
  .transform((values) => {
    const pattern = values.mode === 'select' ? writePattern(values.models) : values.model_pattern;
    return {
      provider_key: values.provider === other ? values.custom_provider : values.provider,
      ...(values.block === 'partial' && { model_pattern: pattern }),
      reason: reasonOf(values),
      ...(values.description !== '' && { description: values.description }),
    };
  });

type Filled = Pick<BlockValues, 'block' | 'mode' | 'preset_reason' | 'custom_reason'>;

const isPartial = ({ block, mode }: Filled, wanted: BlockValues['mode']) =>
  block === 'partial' && mode === wanted;

const reasonOf = ({ preset_reason, custom_reason }: Filled) =>
  preset_reason === other ? custom_reason : preset_reason;
