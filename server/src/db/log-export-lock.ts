/**
 * Advisory lock between booking rows and closing an hour of the export: shared by transactions that book, exclusive while
 * an hour is closed. So each row is either visible when its hour is exported, or noted as late.
 */
export const logExportLock = 7_310_211;
