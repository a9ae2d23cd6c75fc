export { AccessField, type AccessFieldName, findAccessId } from './access-fields.tsx';
export { AccessSetup } from './panel.tsx';
export { type AccessOptions, accessOptionsQuery } from './queries.ts';
export { QuotaFields } from './quota-fields.tsx';
