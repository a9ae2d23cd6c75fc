import { useDebouncedValue } from '@mantine/hooks';
import { addBlacklistEntryBody, modelPattern } from '@sluice/contract';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { ChecklistField } from '#components/forms/checklist-field.tsx';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextAreaField, TextField } from '#components/forms/text-field.tsx';
import { type ContractForm, useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { RecentUse } from '#components/ui/recent-use.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import styles from './add-entry-dialog.module.css';
import { writePattern } from './columns.tsx';
import { useAddEntry, useProviders } from './queries.ts';

/** Option value for a provider or reason that the select does not offer. */
const other = 'other';

const presetReasons = [
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

const customProvider = z.string().max(100);

/** Converts the form's fields to the contract's request body. Fields that are not shown are not checked. */
export const blockForm = z
  .object({
    provider: z.string(),
    custom_provider: z.string().trim(),
    block: z.enum(['complete', 'partial']),
    mode: z.enum(['pattern', 'select']),
    model_pattern: z.string().trim(),
    models: z.array(z.string()),
    preset_reason: z.string(),
    custom_reason: z.string().trim(),
    description: description.unwrap().unwrap(),
  })
  .superRefine((values, check) => {
    const refuse = (path: keyof BlockValues, message: string) =>
      check.addIssue({ code: 'custom', path: [path], message });
    const refuseInvalid = (path: 'custom_provider' | 'model_pattern', schema: z.ZodType) => {
      const { error } = schema.safeParse(values[path]);
      if (error) refuse(path, error.issues[0]?.message ?? missing);
    };
    if (values.provider === '') refuse('provider', missing);
    if (values.provider === other && values.custom_provider === '') refuse('custom_provider', missing);
    if (values.provider === other) refuseInvalid('custom_provider', customProvider);
    if (isPartial(values, 'pattern') && values.model_pattern === '')
      refuse('model_pattern', 'Model pattern is required for partial blocking');
    else if (isPartial(values, 'pattern')) refuseInvalid('model_pattern', modelPattern);
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

interface AddEntryDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function AddEntryDialog({ isOpen, onClose }: AddEntryDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add to Blacklist">
      <AddEntryForm onAdded={onClose} />
    </Dialog>
  );
}

type BlockForm = Pick<ContractForm<BlockValues, unknown>, 'values' | 'bind' | 'setValue'>;

interface WithProviders extends BlockForm {
  known: ReturnType<typeof useProviders>;
}

function AddEntryForm({ onAdded }: { onAdded: () => void }) {
  const add = useAddEntry();
  const known = useProviders();
  const form = useContractForm<BlockValues, typeof blockForm>({ schema: blockForm, initialValues: noBlock });
  return (
    <Form
      form={form}
      submitLabel="Add to Blacklist"
      pendingLabel="Adding..."
      fallbackProblem="Failed to add to blacklist"
      isDanger
      onSubmit={async (body) => {
        await add.mutateAsync(body);
        showSuccess('Provider/model added to blacklist successfully');
        onAdded();
      }}
    >
      <ProviderFields {...form} known={known} />
      <BlockFields {...form} known={known} />
      <BlockedUse {...form.values} />
      <ReasonFields {...form} />
    </Form>
  );
}

const pauseMs = 300;

function BlockedUse({ provider, custom_provider, block, mode, model_pattern, models }: BlockValues) {
  const isComplete = block === 'complete';
  const typed = mode === 'select' && models.length > 0 ? writePattern(models) : model_pattern;
  const key = provider === other ? custom_provider : provider;
  const [chosen] = useDebouncedValue(`${key}\n${isComplete ? '' : typed.trim()}`, pauseMs);
  const [provider_key = '', pattern = ''] = chosen.split('\n');
  if (provider_key === '' || (!isComplete && pattern === '')) return null;
  return <RecentUse of={{ provider_key, ...(pattern !== '' && { model_pattern: pattern }) }} />;
}

function ProviderFields({ values, bind, setValue, known: { providers, isLoading } }: WithProviders) {
  const field = bind('provider');
  return (
    <>
      <SelectField
        label="Provider"
        placeholder="Select a provider"
        options={[...providers, { value: other, label: 'Other' }]}
        isLoading={isLoading}
        loadingText="Loading providers..."
        data-autofocus
        {...field}
        onChange={(provider) => {
          setValue('provider', provider);
          setValue('models', []);
          setValue('model_pattern', '');
        }}
      />
      {values.provider === other && <TextField label="Provider key" {...bind('custom_provider')} />}
    </>
  );
}

const blocks = [
  { value: 'complete', label: 'Complete (whole provider)' },
  { value: 'partial', label: 'Partial (model specific)' },
] as const;

const modes = [
  { value: 'pattern', label: 'Pattern' },
  { value: 'select', label: 'Select models' },
] as const;

function BlockFields({ values, bind, setValue, known: { modelsOf } }: WithProviders) {
  const changeBlock = (block: BlockValues['block']) => {
    setValue('block', block);
    if (block === 'partial') return;
    setValue('model_pattern', '');
    setValue('models', []);
  };
  return (
    <>
      <Choice name="Block type">
        <SegmentedSwitch label="Block type" options={blocks} value={values.block} onChange={changeBlock} />
      </Choice>
      {values.block === 'partial' && (
        <>
          <Choice name="Models by">
            <SegmentedSwitch
              label="Models by"
              options={modes}
              value={values.mode}
              onChange={(mode) => setValue('mode', mode)}
            />
          </Choice>
          {values.mode === 'pattern' ? (
            <TextField
              label="Model pattern"
              placeholder="gpt-4*"
              description="* matches any characters. List several names in braces: {gpt-4o,o1*}"
              autoCapitalize="none"
              spellCheck={false}
              {...bind('model_pattern')}
            />
          ) : (
            <ChecklistField
              key={values.provider}
              label="Models"
              options={modelsOf(values.provider)}
              emptyText={
                values.provider === ''
                  ? 'Select a provider to see its models'
                  : 'No models are enabled for this provider'
              }
              {...bind('models')}
            />
          )}
        </>
      )}
    </>
  );
}

function ReasonFields({ values, bind }: BlockForm) {
  return (
    <>
      <SelectField
        label="Reason"
        placeholder="Select a reason"
        options={[
          ...presetReasons.map((reason) => ({ value: reason, label: reason })),
          { value: other, label: 'Custom reason' },
        ]}
        {...bind('preset_reason')}
      />
      {values.preset_reason === other && <TextField label="Custom reason" {...bind('custom_reason')} />}
      <TextAreaField label="Description (optional)" {...bind('description')} />
    </>
  );
}

/** Screen readers get the label from the switch. */
function Choice({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.choice}>
      <span className={styles.name} aria-hidden="true">
        {name}
      </span>
      {children}
    </div>
  );
}
