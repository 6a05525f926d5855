-- How a case's amounts are spread, for the planner: it knows nothing of an amount in the currency's own unit, expects 1 case
-- in 200 to have any given one, and looks for the debtor of each. As the columns of the lists of cases (`amountsExact`).
create statistics debt_case_original_principal on (original_principal::numeric / minor_per_unit) from debt_case;
create statistics debt_case_original_fee on (original_fee::numeric / minor_per_unit) from debt_case;
create statistics debt_case_original_interest on (original_interest::numeric / minor_per_unit) from debt_case;
create statistics debt_case_original_sum on ((original_principal + original_interest + original_fee)::numeric / minor_per_unit) from debt_case;
create statistics debt_case_paid_principal on (paid_principal::numeric / minor_per_unit) from debt_case;
create statistics debt_case_paid_fee on (paid_fee::numeric / minor_per_unit) from debt_case;
create statistics debt_case_paid_interest on (paid_interest::numeric / minor_per_unit) from debt_case;
create statistics debt_case_paid_to_third_party on (paid_to_third_party::numeric / minor_per_unit) from debt_case;
create statistics debt_case_paid_sum on ((paid_principal + paid_interest + paid_fee)::numeric / minor_per_unit) from debt_case;
create statistics debt_case_remaining_principal on (remaining_principal::numeric / minor_per_unit) from debt_case;
create statistics debt_case_remaining_fee on (remaining_fee::numeric / minor_per_unit) from debt_case;
create statistics debt_case_remaining_interest on ((remaining_interest + accrued_interest)::numeric / minor_per_unit) from debt_case;
create statistics debt_case_remaining_sum on ((remaining_principal + (remaining_interest + accrued_interest) + remaining_fee)::numeric / minor_per_unit) from debt_case;
