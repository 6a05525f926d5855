-- No statement is planned by what these documents hold: ANALYZE need not fetch, unpack and sort a sample of them.
alter table audit_entry alter column changes set statistics 0, alter column data set statistics 0;
alter table job_run alter column payload set statistics 0, alter column result set statistics 0;
alter table document alter column data set statistics 0;
alter table message alter column body set statistics 0;
