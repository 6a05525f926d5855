-- True if a person has examined the ground of a claim that arose when the debtor was under 18.
alter table debt_case add column minor_claim_checked boolean not null default false;
