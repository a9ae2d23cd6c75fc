import type { ReactNode } from 'react';
import { ChecklistField } from '../../components/forms/checklist-field.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { TextAreaField } from '../../components/forms/text-area-field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { type ContractForm, useContractForm } from '../../components/forms/use-contract-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import styles from './add-entry-dialog.module.css';
import { type BlockValues, blockForm, noBlock, other, presetReasons } from './block-form.ts';
import { useAddEntry } from './queries.ts';
import { useProviders } from './use-providers.ts';

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
      <ReasonFields {...form} />
    </Form>
  );
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
                  : 'No instance of this provider enables a model'
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

/** A switch below its visible label; screen readers get the label from the switch. */
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
