export { RoleField, RoleNameField } from './field.tsx';
