import {
  createProviderRegistryBody,
  type ProviderRegistryEntry,
  updateProviderRegistryBody,
} from '@sluice/contract';
import { z } from 'zod';
import { CheckboxField } from '#components/forms/checked-fields.tsx';
import { Form } from '#components/forms/form.tsx';
import { TextAreaField, TextField, UrlField } from '#components/forms/text-field.tsx';
import { type ContractForm, useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { useAddVendor, useUpdateVendor } from './queries.ts';

interface VendorFormDialogProps {
  /** If absent, the form creates a vendor. */
  vendor?: ProviderRegistryEntry;
  isOpen: boolean;
  onClose: () => void;
}

export function VendorFormDialog({ vendor, isOpen, onClose }: VendorFormDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={vendor ? `Edit ${vendor.display_name}` : 'Add provider type'}
    >
      {vendor ? <EditForm vendor={vendor} onSaved={onClose} /> : <AddForm onSaved={onClose} />}
    </Dialog>
  );
}

/** Each line names one model. */
const modelLines = z.string().transform((text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
);

const addForm = z
  .object({
    ...createProviderRegistryBody.shape,
    api_endpoint: z
      .string()
      .trim()
      .min(1, 'API endpoint is required')
      .refine((text) => text === '' || URL.canParse(text), 'This is not a valid URL'),
    supported_models: modelLines,
  })
  .omit({ icon: true });

const noVendor = {
  provider_key: '',
  display_name: '',
  api_endpoint: '',
  supported_models: '',
  is_active: true,
};

function AddForm({ onSaved }: { onSaved: () => void }) {
  const add = useAddVendor();
  const form = useContractForm({ schema: addForm, initialValues: noVendor });
  return (
    <Form
      form={form}
      submitLabel="Add provider type"
      pendingLabel="Adding..."
      fallbackProblem="Failed to save provider"
      onSubmit={async (body) => {
        const { display_name } = await add.mutateAsync(body);
        showSuccess(`${display_name} was added`);
        onSaved();
      }}
    >
      <TextField label="Display name" placeholder="Acme AI" data-autofocus {...form.bind('display_name')} />
      <TextField
        label="Provider key"
        placeholder="acme-ai"
        description="Prefix of its models in requests: acme-ai/model-name. It cannot be changed later."
        autoCapitalize="none"
        spellCheck={false}
        {...form.bind('provider_key')}
      />
      <UrlField
        label="API endpoint"
        placeholder="https://llm.example.com/v1"
        description="The base URL of an API with OpenAI's protocol. It cannot be changed later, because tenants enter their keys for it."
        {...form.bind('api_endpoint')}
      />
      <CommonFields form={form} />
    </Form>
  );
}

const editForm = updateProviderRegistryBody
  .pick({ display_name: true, is_active: true })
  .extend({ supported_models: modelLines });

function EditForm({ vendor, onSaved }: { vendor: ProviderRegistryEntry; onSaved: () => void }) {
  const update = useUpdateVendor();
  const form = useContractForm({
    schema: editForm,
    initialValues: {
      display_name: vendor.display_name,
      supported_models: vendor.supported_models.join('\n'),
      is_active: vendor.is_active,
    },
  });
  return (
    <Form
      form={form}
      submitLabel="Update provider type"
      pendingLabel="Updating..."
      fallbackProblem="Failed to save provider"
      needsChange
      onSubmit={async (body) => {
        const { display_name } = await update.mutateAsync({ params: { id: vendor.id }, body });
        showSuccess(`${display_name} was updated`);
        onSaved();
      }}
    >
      <TextField
        label="Display name"
        disabled={vendor.is_built_in}
        description={
          vendor.is_built_in ? 'The name of a built-in provider type cannot be changed.' : undefined
        }
        {...form.bind('display_name')}
      />
      <CommonFields form={form} />
    </Form>
  );
}

function CommonFields({ form }: { form: Pick<ContractForm<unknown, unknown>, 'bind' | 'bindChecked'> }) {
  return (
    <>
      <TextAreaField
        label="Supported models, one per line (optional)"
        placeholder={'model-name\nother-model'}
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        {...form.bind('supported_models')}
      />
      <CheckboxField
        label="Active"
        description="Instances of an inactive provider type accept no requests in any tenant."
        {...form.bindChecked('is_active')}
      />
    </>
  );
}
