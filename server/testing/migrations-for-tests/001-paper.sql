create table paper (number integer primary key);
